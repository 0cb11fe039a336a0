import type { IncomingMessage } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseRelease } from "../../../src/sandbox/release.ts";
import { droppingProxy } from "../../support/dropping-proxy.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { type OnSandbox, onSandbox } from "../on-sandbox.ts";

describe.each(["gitea", "forgejo"])("a write whose answer was lost on %s", (product) => {
  let box: OnSandbox;
  let proxy: Awaited<ReturnType<typeof droppingProxy>>;
  /** What becomes of the next write: its answer is lost, or replaced by this status, or it does not arrive. */
  let next: true | 502 | "swallowed" | undefined;
  let writes = 0;
  beforeAll(async () => {
    box = await onSandbox({ release: parseRelease(product) });
    const take = ({ method }: IncomingMessage, isSwallowed: boolean) => {
      if (method === "GET" || next === undefined || (next === "swallowed") !== isSwallowed) return undefined;
      writes += 1;
      const what = next;
      next = undefined;
      return what;
    };
    proxy = await droppingProxy(box.url, {
      swallows: (request) => take(request, true) === "swallowed",
      drops(request) {
        const what = take(request, false);
        return what === "swallowed" || what === undefined ? false : what;
      },
    });
  });
  afterAll(() => {
    proxy.close();
    return box.close();
  });

  const state = emptyFolder();
  const run = (line: string, journal = "") =>
    box.run(line.split(" "), {
      as: "mara",
      env: { TONGS_REPO: "mara/harbor", TONGS_HOST: proxy.url, XDG_STATE_HOME: state, TONGS_JOURNAL: journal },
    });

  it.each([
    { line: "issue create --title NAME --body x", list: "issue list --search NAME --jq .[].title" },
    { line: "issue edit 1 --title NAME", list: "issue view 1 --jq .title" },
    { line: "issue close 1", list: "issue view 1 --jq .state", shows: "closed" },
    { line: "label edit bug --description NAME", list: "label list --all --jq .[].description" },
    { line: "milestone create NAME", list: "milestone list --jq .[].title" },
    { line: "milestone edit NAME --description NAME", list: "milestone list --jq .[].description" },
    { line: "milestone close NAME", list: "milestone list --state closed --jq .[].title" },
    { line: "release create NAME --notes x", list: "release list --jq .[].tag_name" },
    { line: "release edit NAME --title NAME", list: "release list --jq .[].name" },
  ])("is done if it arrived, with the journal and without: $line", async ({ line, list, shows }) => {
    for (const [what, journal] of [
      [true, ""],
      [502, "off"],
    ] as const) {
      const name = `v${what}`;
      next = what;
      writes = 0;
      const ran = await run(line.replaceAll("NAME", name), journal);
      expect([ran.code, next, writes], ran.stderr).toEqual([0, undefined, 1]);
      expect(ran.stderr).not.toMatch(/may have taken effect|was lost/);
      const found = (await run(list.replaceAll("NAME", name))).stdout.split("\n");
      expect(found.filter((one) => one === (shows ?? name))).toHaveLength(1);
      if (shows !== undefined) await run("issue reopen 1");
    }
  });

  it("failed if it did not arrive, also where another one with the same fields was there before", async () => {
    expect((await run("issue create --title Twin --body x")).code).toBe(0);
    expect((await run("release create early --notes x")).code).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 2100));
    // Somebody else's, of the same second.
    await box.ask("POST", "/repos/mara/harbor/issues", "jonas", { title: "Twin", body: "x" });
    for (const line of [
      "issue create --title Twin --body x",
      "release create early --notes x",
      "label create unsent --color ff0000",
      "issue edit 2 --title Unsent",
    ]) {
      next = "swallowed";
      const ran = await run(line);
      expect([ran.code, next]).toEqual([6, undefined]);
      expect(ran.stderr).toContain("may have taken effect");
    }
  });

  it("can be undone like any other", async () => {
    next = true;
    expect((await run("milestone create buoyage")).code).toBe(0);
    const [entry] = (await run("journal list --limit 1 --json")).json() as { number: number; failed: boolean }[];
    expect(entry?.failed).toBe(false);
    expect((await run(`journal undo ${entry?.number} --yes`)).code).toBe(0);
    expect((await run("milestone list --jq .[].title")).stdout).not.toContain("buoyage");
  });
});
