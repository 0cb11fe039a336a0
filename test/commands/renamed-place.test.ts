import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
  afterAll(() => box.close());

  it.each([
    ["issue create -t hi -R acme/mv", "✓ Created issue acme/mv2#1 "],
    ["label create tide -R acme/mv", "✓ Created label 'tide' in acme/mv2 "],
    ["label edit tide --color ff0000 -R acme/mv", "in acme/mv2 "],
    ["issue close 1 -R acme/mv", "✓ Closed issue acme/mv2#1 "],
    ["branch create late -R acme/mv", "in acme/mv2 "],
    ["branch delete late -R acme/mv --yes", "✓ Deleted branch late from acme/mv2 "],
    ["label delete tide -R acme/mv --yes", "✓ Deleted label 'tide' from acme/mv2 "],
  ])("has its present name in what %s says, which is said once", async (line, said) => {
    const ran = await run(line);
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining(said)]);
    expect(ran.stderr.match(/acme\/mv is acme\/mv2 now\n/g)).toHaveLength(1);
    expect(ran.stderr).not.toMatch(/acme\/mv[# ](?!is)/);
  });

  it("has its present name in JSON, and in requests after the first", async () => {
    await run("tag create v1 -R acme/mv");
    const ran = await run("tag delete v1 -R acme/mv --yes --json");
    expect(ran.json()).toEqual([{ tag: "v1", repository: "acme/mv2", result: "deleted" }]);
    const before = box.requests();
    await run("label list -R acme/mv2");
    const plain = box.requests() - before;
    await run("label list -R acme/mv");
    expect(box.requests() - before - plain).toBe(plain + 1);
  });

  it("is still refused where it is deleted or renamed", async () => {
    for (const line of ["repo delete acme/mv --yes", "repo rename mv3 -R acme/mv"]) {
      const ran = await run(line);
      expect([ran.code, ran.stderr], line).toEqual([2, expect.stringContaining("acme/mv was renamed to acme/mv2")]);
    }
  });
});

it.each([
  ["/api/v1/repos/acme/mv/issues/1", "/api/v1/repos/acme/mv2/issues/1", "acme/mv2"],
  ["/git/api/v1/repos/acme/mv", "/git/api/v1/repos/other/mv", "other/mv"],
  ["/api/v1/orgs/acme/teams", "/api/v1/orgs/zenith/teams", "zenith"],
  ["/api/v1/users/a%20b", "/api/v1/users/c", "c"],
  ["/api/v1/repos/acme/mv/zip", "/api/v1/repos/acme/mv/zip/raw", undefined],
  ["/api/v1/repos/acme/mv/zip", "/storage/mv/zip", undefined],
  ["/api/v1/repos/acme/mv", "/api/v1/repos/Acme/MV", undefined],
  ["/api/v1/version", "/api/v1/version/", undefined],
])("a redirect from %s to %s says the name %s", (from, to, now) => {
  expect(movedBy(from, to)?.now).toBe(now);
});
