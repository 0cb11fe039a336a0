import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { emptyFolder } from "../support/tongs.ts";
import { openTarget, type Person, type Target } from "./support.ts";

let target: Target;
let mara: Person;
beforeAll(async () => {
  target = await openTarget();
  mara = await target.person("mara");
  await target.ask("POST", "/user/repos", { name: "buoy", auto_init: true, default_branch: "main" }, mara);
});
afterAll(() => target.close());

it("uploads, lists, downloads, links and deletes packages", async ({ skip }) => {
  if (target.kind === "sandbox") skip("the sandbox has no package registries");
  const run = (line: readonly string[], world = {}) => mara.tongs(["package", ...line], world);
  const cwd = emptyFolder();
  writeFileSync(join(cwd, "map.txt"), "map v1\n");
  writeFileSync(join(cwd, "big.bin"), "0123456789".repeat(100_000));
  const sent = await run(["upload", "charts@1.0.0", "map.txt", "big.bin"], { cwd });
  expect([sent.code, sent.stdout.split("\n")]).toEqual([
    0,
    expect.arrayContaining([expect.stringContaining("/map.txt")]),
  ]);
  const again = await run(["upload", "charts@1.0.0", "map.txt"], { cwd });
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("No change: map.txt")]);
  writeFileSync(join(cwd, "map.txt"), "another\n");
  expect((await run(["upload", "charts@1.0.0", "map.txt"], { cwd })).code).toBe(9);
  expect((await run(["upload", "charts@1.1.0", "map.txt"], { cwd })).code).toBe(0);
  expect((await run(["upload", "charts@1.1.0", "map.txt", "--owner", target.unique("nobody")], { cwd })).code).toBe(5);
  const other = await target.person("jonas");
  const denied = await other.tongs(["package", "upload", "charts@2", "map.txt", "--owner", mara.login], { cwd });
  expect(denied.code).toBe(4);

  expect((await run(["list", "--type", "generic", "--jq", "length"])).stdout).toBe("2\n");
  expect((await run(["list", "generic/charts", "--jq", "map(.version) | sort"])).json()).toEqual(["1.0.0", "1.1.0"]);
  expect((await run(["view", "generic/charts", "--json", "version"])).json()).toEqual({ version: "1.1.0" });
  expect((await run(["view", "generic/none"])).code).toBe(5);
  expect((await run(["files", "generic/charts@1.0.0", "--jq", "map(.name) | sort"])).json()).toEqual([
    "big.bin",
    "map.txt",
  ]);
  const got = await run(["download", "charts@1.0.0", "--dir", "out"], { cwd });
  expect(got.code).toBe(0);
  expect(readFileSync(join(cwd, "out/map.txt"), "utf8")).toBe("map v1\n");
  expect(readFileSync(join(cwd, "out/big.bin"))).toHaveLength(1_000_000);

  const linked = await run(["link", "generic/charts", "buoy"]);
  const links = target.has("POST", "/packages/{owner}/{type}/{name}/-/link/{repo_name}");
  expect(linked.code).toBe(links ? 0 : 5);
  if (links) {
    expect((await run(["link", "generic/charts", "buoy"])).code).toBe(13);
    expect((await run(["unlink", "generic/charts"])).code).toBe(0);
  }
  expect((await run(["delete", "generic/charts@1.0.0", "--yes"])).code).toBe(0);
  expect((await run(["delete", "generic/charts@1.0.0", "--yes"])).code).toBe(5);
  expect((await run(["delete", "generic/charts", "--yes"])).code).toBe(0);
  expect((await run(["list", "--json"])).json()).toEqual([]);
  expect((await run(["delete", "generic/charts", "--yes"])).code).toBe(5);
});
