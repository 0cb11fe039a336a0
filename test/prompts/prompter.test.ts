import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { openPrompter } from "../../src/prompts/prompter.ts";
import { streamed } from "../../src/system/output-stream.ts";
import type { System } from "../../src/system/system.ts";
import { scripted } from "../support/answers.ts";

interface Around {
  readonly stdin?: boolean;
  readonly stdout?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly rules?: { readonly noInput?: boolean; readonly yes?: boolean; readonly records?: boolean };
  readonly answers?: readonly (string | boolean)[];
  readonly signal?: AbortSignal;
}

function prompter({ stdin = true, stdout = true, env = {}, rules, answers = [], signal }: Around = {}) {
  const { questions, asked } = scripted(answers);
  const system: System = {
    stdin: Object.assign(new PassThrough(), { isTTY: stdin }),
    stdout: streamed(Object.assign(new PassThrough(), { isTTY: stdout })),
    ...{
      stderr: streamed(new PassThrough()),
      env,
      cwd: "/",
      now: () => new Date(0),
      random: () => 0,
      sleep: async () => {},
    },
    ...{ signal: signal ?? new AbortController().signal, questions },
  };
  return { asked, prompt: openPrompter(system, { noInput: false, yes: false, records: false, ...rules }) };
}

describe("a prompt", () => {
  it.each<[string, Around]>([
    ["stdin is not a terminal", { stdin: false }],
    ["stdout is not a terminal", { stdout: false }],
    ["in CI", { env: { CI: "true" } }],
    ["with --no-input", { rules: { noInput: true } }],
    ["with a JSON format", { rules: { records: true } }],
  ])("is a usage error that names the flag when %s", async (_when, around) => {
    const { prompt, asked } = prompter({ ...around, answers: ["x"] });
    expect(prompt.able).toBe(false);
    const error = { exit: "usage", message: "--title is required" };
    await expect(prompt.text({ message: "Title", flag: "--title" })).rejects.toMatchObject(error);
    await expect(prompt.confirmAction({ what: "Delete it" })).rejects.toMatchObject({ exit: "usage" });
    expect(asked).toEqual([]);
  });

  it.each(["", "false"])("is shown if CI is '%s'", (CI) => {
    expect(prompter({ env: { CI } }).prompt.able).toBe(true);
  });

  it("cancels the command on Ctrl-C", async () => {
    const { prompt } = prompter();
    await expect(prompt.password({ message: "Token", flag: "--token-stdin" })).rejects.toMatchObject({
      exit: "cancelled",
    });
  });

  it("is interrupted by a signal", async () => {
    const reason = new Error("interrupted");
    const { prompt } = prompter({ signal: AbortSignal.abort(reason) });
    await expect(prompt.confirm({ message: "Sure?", flag: "--yes" })).rejects.toBe(reason);
  });

  it("is repeated until the answer is valid", async () => {
    const { prompt, asked } = prompter({ answers: ["no", "yes"] });
    const check = (value: string) => value === "yes" || "Say yes.";
    expect(await prompt.text({ message: "Well?", flag: "--well", check })).toBe("yes");
    expect(asked).toEqual(["Well?", "Well?"]);
  });
});

describe("a destructive action", () => {
  it("continues with --yes without a prompt", async () => {
    const { prompt, asked } = prompter({ rules: { yes: true }, stdin: false });
    await prompt.confirmAction({ what: "Delete mara/harbor", typed: "mara/harbor" });
    expect(asked).toEqual([]);
  });

  it("is cancelled by answering no", async () => {
    await expect(prompter({ answers: [false] }).prompt.confirmAction({ what: "Delete it" })).rejects.toMatchObject({
      exit: "cancelled",
    });
  });

  it("continues after yes, or after typing the name", async () => {
    await prompter({ answers: [true] }).prompt.confirmAction({ what: "Delete it" });
    const severe = prompter({ answers: ["harbor", "mara/harbor"] });
    await severe.prompt.confirmAction({ what: "Delete mara/harbor", typed: "mara/harbor" });
    expect(severe.asked).toHaveLength(2);
  });
});
