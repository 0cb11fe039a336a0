import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { notUndone, undoDelete } from "../../src/forge/undo.ts";
import { openPrompter, type Prompter } from "../../src/prompts/prompter.ts";
import { streamed } from "../../src/system/output-stream.ts";
import type { Questions, System } from "../../src/system/system.ts";
import { scripted } from "../support/answers.ts";
import { hostile, rawCodes } from "../support/raw-codes.ts";

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
  const streams = {
    stdin: Object.assign(new PassThrough(), { isTTY: stdin }),
    stdout: Object.assign(new PassThrough(), { isTTY: stdout }),
  };
  const more = { env, questions, ...(signal === undefined ? {} : { signal }) };
  return { asked, prompt: openedOn({ ...streams, ...more }, rules) };
}

interface Surroundings extends Pick<System, "stdin" | "env">, Partial<Pick<System, "signal" | "questions">> {
  readonly stdout: PassThrough & { readonly isTTY: boolean };
}

function openedOn({ stdin, stdout, ...more }: Surroundings, rules: Around["rules"] = {}): Prompter {
  const system: System = {
    stdin,
    stdout: streamed(stdout),
    stderr: streamed(new PassThrough()),
    platform: process.platform,
    cwd: "/",
    now: () => new Date(0),
    random: () => 0,
    sleep: async () => {},
    signal: new AbortController().signal,
    ...more,
  };
  return openPrompter(system, { noInput: false, yes: false, records: false, ...rules });
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
    await expect(prompt.confirmAction({ what: "Delete it", sends: undefined })).rejects.toMatchObject({
      exit: "usage",
    });
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

describe("the prompt library", () => {
  /** Questions that record all texts they are given, and answer with the first suggestion. */
  function recording() {
    const given: string[] = [];
    const questions: Questions = {
      checkbox: () => Promise.reject(new Error("no checkbox")),
      search: () => Promise.reject(new Error("no search")),
      async input({ message, default: suggested = "", validate }) {
        given.push(message, suggested, String(await validate?.("wrong")));
        return suggested;
      },
      async password({ message, validate }) {
        given.push(message, String(await validate?.("wrong")));
        return "";
      },
      async confirm({ message }) {
        given.push(message);
        return true;
      },
      async select({ message, choices }) {
        given.push(message, JSON.stringify(choices));
        for (const choice of choices) {
          if (typeof choice !== "object" || choice === null || !("value" in choice)) continue;
          given.push(String(choice.name), String(choice.description));
          return choice.value;
        }
        throw new Error("no choices");
      },
    };
    const terminal = () => Object.assign(new PassThrough(), { isTTY: true });
    const system: System = {
      stdin: terminal(),
      stdout: streamed(terminal()),
      stderr: streamed(terminal()),
      env: {},
      platform: process.platform,
      cwd: "/",
      now: () => new Date(0),
      random: () => 0,
      sleep: async () => {},
      signal: new AbortController().signal,
      questions,
    };
    return { given, prompt: openPrompter(system, { noInput: false, yes: false, records: false }) };
  }

  it("gets safe text only: messages, defaults, choices and what is wrong with an answer", async () => {
    const { given, prompt } = recording();
    const question = { message: `Title ${hostile}`, flag: "--title" };
    const check = (value: string) => value !== "wrong" || `Not ${hostile}`;
    await prompt.text({ ...question, default: hostile, check });
    await prompt.password({ ...question, check });
    await prompt.confirm(question);
    await prompt.select({ ...question, choices: [{ name: hostile, value: 1, description: hostile }] });
    await prompt.confirmAction({ what: `Delete ${hostile}`, sends: undefined });
    expect(given).toHaveLength(11);
    expect(rawCodes(given.join("\n"))).toEqual([]);
  });

  it("returns a default that is accepted as it was, and the value of a choice", async () => {
    const { prompt } = recording();
    expect(await prompt.text({ message: "Title", flag: "--title", default: `a\t${hostile}` })).toBe(`a\t${hostile}`);
    const choices = [{ name: hostile, value: hostile }];
    expect(await prompt.select({ message: "Which?", flag: "--which", choices })).toBe(hostile);
  });
});

describe("an answer that is pasted", () => {
  /** Pastes a text at a prompt of the real library. */
  async function pasted(text: string, ask: (prompt: Prompter) => Promise<string>): Promise<string> {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
    const answer = ask(openedOn({ stdin, stdout, env: {} }));
    stdout.once("data", () => setImmediate(() => stdin.write(text)));
    return answer;
  }
  const hidden = (prompt: Prompter) => prompt.password({ message: "Value", flag: "--body-file" });
  const whole = (prompt: Prompter) => prompt.text({ message: "Value", flag: "--body-file", whole: true });

  it.each([
    ["hidden", hidden],
    ["whole", whole],
  ])("with several lines at a %s prompt is a usage error that names the flag", async (_what, ask) => {
    const refused = pasted("-----BEGIN KEY-----\rnot-a-secret\r-----END KEY-----\r", ask);
    await expect(refused).rejects.toMatchObject({ exit: "usage", hint: "Pass --body-file." });
  });

  it("may end with a line break", async () => {
    expect(await pasted("not-a-secret\r\n", hidden)).toBe("not-a-secret");
    expect(await pasted("not-a-secret\r", whole)).toBe("not-a-secret");
  });
});

describe("a destructive action", () => {
  it("continues with --yes without a prompt", async () => {
    const { prompt, asked } = prompter({ rules: { yes: true }, stdin: false });
    await prompt.confirmAction({ what: "Delete mara/harbor", typed: "mara/harbor", sends: undefined });
    expect(asked).toEqual([]);
  });

  it("says in the question if it cannot be undone", async () => {
    const final = { undo: notUndone("servers do not keep what is deleted") };
    const { prompt, asked } = prompter({ answers: [true, true, "mara/harbor"] });
    await prompt.confirmAction({ what: "Delete it", sends: final });
    await prompt.confirmAction({ what: "Delete it", sends: { undo: undoDelete() } });
    await prompt.confirmAction({ what: "Delete mara/harbor", typed: "mara/harbor", sends: final });
    expect(asked).toEqual([
      "Delete it (cannot be undone)?",
      "Delete it?",
      "Delete mara/harbor (cannot be undone). Type mara/harbor to confirm",
    ]);
  });

  it("is cancelled by answering no", async () => {
    await expect(
      prompter({ answers: [false] }).prompt.confirmAction({ what: "Delete it", sends: undefined }),
    ).rejects.toMatchObject({
      exit: "cancelled",
    });
  });

  it("continues after yes, or after typing the name", async () => {
    await prompter({ answers: [true] }).prompt.confirmAction({ what: "Delete it", sends: undefined });
    const severe = prompter({ answers: ["harbor", "mara/harbor"] });
    await severe.prompt.confirmAction({ what: "Delete mara/harbor", typed: "mara/harbor", sends: undefined });
    expect(severe.asked).toHaveLength(2);
  });
});
