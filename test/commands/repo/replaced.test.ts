import { beforeAll, describe, expect, it } from "vitest";
import { parseRelease } from "../../../src/sandbox/release.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { type OnSandbox, onSandbox } from "../on-sandbox.ts";

const tracker = "https://bugs.example.org";
const wiki = "https://wiki.example.org";

describe.each(["gitea@1.26", "forgejo"])("repo edit on %s", (as) => {
  let box: OnSandbox;
  const env = { XDG_STATE_HOME: emptyFolder() };
  const run = (line: string) => box.run(line.split(" "), { as: "mara", env });
  const read = async () => (await box.ask("GET", "/repos/mara/harbor", "mara")).body as Record<string, unknown>;
  const last = async () => (await run("journal list --jq .[0].number")).stdout.trim();
  beforeAll(async () => {
    box = await onSandbox({ release: parseRelease(as) });
  });

  it("refuses the sign-in at the source of a mirror, which the release ignores", async () => {
    for (const flag of ["--mirror-username bob", "--mirror-token-file -"]) {
      const ran = await box.run(["repo", "edit", "mara/harbor", ...flag.split(" ")], { stdin: "lamp-oil\n" });
      expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining("needs Gitea 1.27")]);
    }
    expect(box.writes()).toEqual([]);
  });

  it.each([
    ["--external-tracker-url", tracker, "internal_tracker", "external_tracker"],
    ["--external-wiki-url", wiki, "has_wiki", "external_wiki"],
  ])("%s is undone, which has the server's own again", async (flag, url, own, other) => {
    const before = await read();
    expect(before[own]).toBeTruthy();
    expect(await run(`repo edit mara/harbor ${flag} ${url}`)).toMatchObject({ code: 0 });
    expect((await read())[other]).toBeTruthy();
    expect(await run(`journal undo ${await last()} --yes`)).toMatchObject({ code: 0 });
    const now = await read();
    expect([now[own], now[other]]).toEqual([before[own], undefined]);
  });

  it.each([
    [
      "--no-enable-time-tracker",
      `--external-tracker-url ${tracker}`,
      `external tracker ${tracker}`,
      "external_tracker",
    ],
    ["--has-issues", `--external-tracker-url ${tracker}`, `external tracker ${tracker}`, "external_tracker"],
    ["--has-wiki", `--external-wiki-url ${wiki}`, `external wiki ${wiki}`, "external_wiki"],
  ])("%s asks before it replaces what is external, and is undone", async (flag, outside, words, field) => {
    await run(`repo edit mara/harbor ${outside}`);
    const before = await read();
    box.writes();
    const asked = await run(`repo edit mara/harbor ${flag}`);
    expect([asked.code, asked.stderr, box.writes()]).toEqual([2, expect.stringContaining(words), []]);
    const dry = await run(`repo edit mara/harbor ${flag} --dry-run`);
    expect([dry.code, dry.stderr]).toEqual([0, expect.stringContaining(`This replaces the ${words}`)]);
    expect(dry.stderr).not.toContain("could not be undone");
    expect(await run(`repo edit mara/harbor ${flag} --yes`)).toMatchObject({ code: 0 });
    expect((await read())[field]).toBeUndefined();
    expect(await run(`journal undo ${await last()} --yes`)).toMatchObject({ code: 0 });
    expect((await read())[field]).toEqual(before[field]);
    expect(await run(`repo edit mara/harbor ${flag} --yes`)).toMatchObject({ code: 0 });
  });
});

it("repo edit refuses the sign-in at the source of a repository that is no mirror", async () => {
  const box = await onSandbox({ release: parseRelease("gitea@1.27") });
  const ran = await box.run(["repo", "edit", "mara/harbor", "--mirror-username", "bob"]);
  expect([ran.code, ran.stderr]).toEqual([9, expect.stringContaining("mara/harbor is not a pull mirror")]);
  expect(box.writes()).toEqual([]);
});
