import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTarget, type Person, type Target } from "./support.ts";

let target: Target;
let mara: Person;
let repo: string;

beforeAll(async () => {
  target = await openTarget();
  mara = await target.person("mara");
  repo = `${mara.login}/beacon`;
  await target.ask("POST", "/user/repos", { name: "beacon", default_branch: "main" }, mara);
  for (const title of ["Ferry", "Pier"]) await target.ask("POST", `/repos/${repo}/issues`, { title }, mara);
});
afterAll(() => target.close());

const run = (...line: string[]) => mara.tongs([...line, "-R", repo]);
const listed = async (kind: "block" | "dependency", number: string) =>
  (await run("issue", kind, "list", number, "--json", "number")).json();

describe("an issue that blocks another", () => {
  it("is in the dependencies of the other, and cannot be left open when that is closed", async ({ skip }) => {
    if (target.kind === "sandbox") skip("issues of the sandbox depend on no others");
    const added = await run("issue", "block", "add", "1", "2");
    expect(added.code, added.stderr).toBe(0);
    expect(await listed("block", "1")).toEqual([{ number: 2 }]);
    expect(await listed("dependency", "2")).toEqual([{ number: 1 }]);
    const refused = await run("issue", "close", "2");
    expect([refused.code, refused.stderr]).toEqual([9, expect.stringContaining("open dependencies")]);
    const removed = await run("issue", "block", "remove", "1", "2");
    expect(removed.code, removed.stderr).toBe(0);
    expect(await listed("dependency", "2")).toEqual([]);
    expect((await run("issue", "close", "2")).code).toBe(0);
  });
});
