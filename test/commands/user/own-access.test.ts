import { beforeAll, describe, expect, it } from "vitest";
import { parseRelease } from "../../../src/sandbox/release.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { type OnSandbox, onSandbox } from "../on-sandbox.ts";

describe.each(["gitea", "forgejo"])("the own access of an administrator, on %s", (as) => {
  let box: OnSandbox;
  const env = { XDG_STATE_HOME: emptyFolder() };
  const run = (line: string) => box.run(line.split(" "), { env });
  beforeAll(async () => {
    box = await onSandbox({ release: parseRelease(as) });
  });

  it.each([
    ["--no-admin", "it takes your own access away"],
    ["--no-active", "it takes your own access away"],
    ["--prohibit-login", "it takes your own access away"],
    ["--must-change-password", "the server does not return must_change_password"],
  ])("is not taken away by %s without a question", async (flag, reason) => {
    const ran = await run(`user edit jonas Harbormaster ${flag}`);
    expect([ran.code, ran.stderr, box.writes()]).toEqual([
      2,
      expect.stringContaining("--yes is required to take away your own access"),
      [],
    ]);
    const dry = await run(`user edit harbormaster ${flag} --dry-run`);
    expect([dry.code, dry.stderr]).toEqual([0, expect.stringContaining(`It could not be undone: ${reason}.`)]);
  });

  it("is not said to be undoable in the journal, as that of others is", async () => {
    expect(await run("user edit jonas --admin")).toMatchObject({ code: 0 });
    expect(await run("user edit harbormaster --no-admin --yes")).toMatchObject({ code: 0 });
    const listed = await run("journal list --jq [.[].requests[]|select(.status<300)|[.undoable,.reason]]");
    expect(listed.json()).toEqual([
      [false, "it takes your own access away"],
      [true, null],
    ]);
  });
});
