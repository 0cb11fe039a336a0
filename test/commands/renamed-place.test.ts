import { beforeAll, describe, expect, it } from "vitest";
import { movedBy } from "../../src/forge/moved.ts";
import { parseRelease } from "../../src/sandbox/release.ts";
import { type OnSandbox, onSandbox } from "./on-sandbox.ts";

describe.each(["gitea", "forgejo"])("a renamed repository on %s, by its old name", (product) => {
  let box: OnSandbox;
  const run = (line: string) => box.run(line.split(" "), { as: "mara" });
  beforeAll(async () => {
    box = await onSandbox({ release: parseRelease(product) });
    for (const line of ["org create acme", "repo create acme/mv --init", "repo edit --name mv2 -R acme/mv"])
      expect((await run(line)).code, line).toBe(0);
  });

  it.each([
    "issue create -t hi",
    "issue list",
    "label create tide",
    "milestone create summer",
    "release create v1 --notes x",
    "variable set KEY --body x",
    "issue close 1",
    "label delete tide --yes",
    "repo edit --description x",
  ])("has its present name said once by %s, and in what it says and prints", async (line) => {
    const ran = await run(`${line} -R acme/mv`);
    expect(ran.code).toBe(0);
    expect(ran.stderr.match(/acme\/mv is acme\/mv2 now\n/g)).toHaveLength(1);
    expect(ran.stdout + ran.stderr.replace("acme/mv is acme/mv2 now\n", "")).not.toMatch(/acme\/mv\b/);
  });

  it.each(["branch", "tag"])("has its present name in the JSON of %s delete", async (noun) => {
    await run(`${noun} create fog -R acme/mv2`);
    const ran = await run(`${noun} delete fog --yes --json -R acme/mv`);
    expect(JSON.parse(ran.stdout)).toMatchObject([{ [noun]: "fog", repository: "acme/mv2", result: "deleted" }]);
  });

  it("has its present name in what fails, too", async () => {
    for (const line of ["issue view 99", "label delete nolabel --yes", "issue close 98 99 --json"]) {
      const ran = await run(`${line} -R acme/mv`);
      expect(ran.code, line).toBe(5);
      expect(ran.stderr.replace("acme/mv is acme/mv2 now\n", ""), line).toContain("acme/mv2");
    }
  });

  it("is still refused where it is deleted or renamed", async () => {
    for (const line of ["repo delete acme/mv --yes", "repo rename mv3 -R acme/mv"]) {
      const ran = await run(line);
      expect([ran.code, ran.stderr], line).toEqual([2, expect.stringContaining("acme/mv was renamed to acme/mv2")]);
    }
  });
});

it.each([
  ["/api/v1/repos/acme/mv/issues/1", "/api/v1/repos/acme/mv2/issues/1", { was: "acme/mv", now: "acme/mv2" }],
  ["/git/api/v1/repos/acme/mv", "/git/api/v1/repos/other/mv", { was: "acme/mv", now: "other/mv" }],
  ["/api/v1/orgs/acme/teams", "/api/v1/orgs/zenith/teams", { was: "acme", now: "zenith" }],
  ["/api/v1/users/a%20b", "/api/v1/users/c", { was: "a b", now: "c" }],
  ["/api/v1/repos/acme/mv/zip", "/api/v1/repos/acme/mv/zip/raw", undefined],
  ["/api/v1/repos/acme/mv/zip", "/storage/mv/zip", undefined],
  ["/api/v1/repos/acme/mv", "/api/v1/repos/Acme/MV", undefined],
  ["/api/v1/version", "/api/v1/version/", undefined],
])("a redirect from %s to %s says: %o", (from, to, moved) => {
  expect(movedBy(from, to)).toEqual(moved);
});
