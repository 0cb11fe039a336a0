import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { droppingProxy } from "../support/dropping-proxy.ts";
import { emptyFolder } from "../support/tongs.ts";
import { openTarget, type Person } from "./support.ts";

const target = await openTarget();
let mara: Person;
beforeAll(async () => {
  mara = await target.person("mara");
  await target.ask("POST", "/user/repos", { name: "buoy", auto_init: true, default_branch: "main" }, mara);
});

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
    const again = await run(["link", "generic/charts", "buoy"]);
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("already linked")]);
    expect((await run(["unlink", "generic/charts"])).code).toBe(0);
  }
  expect((await run(["delete", "generic/charts@1.0.0", "--yes"])).code).toBe(0);
  expect((await run(["delete", "generic/charts@1.0.0", "--yes"])).code).toBe(5);
  expect((await run(["delete", "generic/charts", "--yes"])).code).toBe(0);
  expect((await run(["list", "--json"])).json()).toEqual([]);
  expect((await run(["delete", "generic/charts", "--yes"])).code).toBe(5);
});

it("prunes old versions, first as a plan", async ({ skip }) => {
  if (target.kind === "sandbox") skip("the sandbox has no package registries");
  const rosa = await target.person("rosa");
  const put = (version: string) => send(rosa, `/api/packages/${rosa.login}/generic/tides/${version}/a.txt`, "a");
  for (const version of ["1.0.0", "1.1.0", "1.2.0"]) await put(version);
  const run = (line: readonly string[]) => rosa.tongs(["package", "prune", ...line]);
  const plan = await run(["--keep", "1", "--keep-pattern", "1.0.*", "--plan", "--json", "version,action"]);
  expect(plan).toMatchObject({ code: 0 });
  expect(plan.json()).toEqual([
    { version: "1.2.0", action: "keep" },
    { version: "1.1.0", action: "delete" },
    { version: "1.0.0", action: "keep" },
  ]);
  const pruned = await run(["--keep", "1", "--keep-pattern", "1.0.*", "--yes", "--json"]);
  expect(pruned).toMatchObject({ code: 0 });
  expect(pruned.json()).toEqual([expect.objectContaining({ version: "1.1.0", action: "deleted" })]);
  expect(await versionsOf(rosa)).toEqual(["1.0.0", "1.2.0"]);
  expect(await run(["generic/tides", "--keep", "0", "--yes"])).toMatchObject({ code: 0 });
  expect(await versionsOf(rosa)).toEqual([]);
});

it("prunes images, and keeps the parts of a kept index", async ({ skip }) => {
  if (target.kind === "sandbox") skip("the sandbox has no package registries");
  const ines = await target.person("ines");
  const image = `/v2/${ines.login}/sea/app`;
  const config = "{}";
  const digest = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`;
  await send(ines, `${image}/blobs/uploads?digest=${digest(config)}`, config, "POST");
  const type = "application/vnd.oci.image.manifest.v1+json";
  const manifest = (label: string) =>
    JSON.stringify({
      schemaVersion: 2,
      mediaType: type,
      config: { mediaType: "application/vnd.oci.image.config.v1+json", digest: digest(config), size: 2 },
      layers: [],
      annotations: { label },
    });
  const push = async (reference: string, content: string, as = type) => {
    await send(ines, `${image}/manifests/${reference}`, content, "PUT", as);
    return digest(content);
  };
  const indexOf = (parts: readonly string[]) =>
    JSON.stringify({
      schemaVersion: 2,
      mediaType: "application/vnd.oci.image.index.v1+json",
      manifests: parts.map((text) => ({ mediaType: type, digest: digest(text), size: text.length })),
    });
  const texts = ["shared", "old part", "new part", "orphan"].map(manifest);
  const [shared = "", old = "", young = "", orphan = ""] = texts;
  for (const text of texts) await push(digest(text), text);
  await push("v1", indexOf([shared, old]), "application/vnd.oci.image.index.v1+json");
  await push("v2", indexOf([shared, young]), "application/vnd.oci.image.index.v1+json");
  expect(await versionsOf(ines)).toHaveLength(6);
  const run = (line: readonly string[]) => ines.tongs(["package", "prune", ...line]);
  const proxy = await droppingProxy(target.url);
  const ran = await ines.tongs(["package", "prune", "--keep", "1", "--yes"], { env: { TONGS_HOST: proxy.url } });
  expect(ran).toMatchObject({ code: 0 });
  expect(await versionsOf(ines)).toEqual([digest(shared), digest(young), digest(orphan), "v2"].sort());
  expect(await run(["--untagged", "--yes"])).toMatchObject({ code: 0 });
  expect(await versionsOf(ines), "an index can still be pushed").toHaveLength(4);
  expect(await run(["--untagged", "--older-than", "0m", "--yes"])).toMatchObject({ code: 0 });
  expect(await versionsOf(ines)).toEqual([digest(shared), digest(young), "v2"].sort());
  const pulled = await fetch(`${target.url}${image}/manifests/${digest(shared)}`, { headers: basic(ines) });
  expect([pulled.status, await pulled.text()]).toEqual([200, shared]);
  expect(await run(["container/sea/app", "--keep", "0", "--yes"])).toMatchObject({ code: 0 });
  expect(await versionsOf(ines)).toEqual([]);
});

async function versionsOf({ login }: Person): Promise<string[]> {
  const found = (await target.ask("GET", `/packages/${login}`)) as { version: string }[];
  return found.map(({ version }) => version).sort();
}

const basic = ({ login, token }: Person) => ({
  authorization: `Basic ${Buffer.from(`${login}:${token}`).toString("base64")}`,
});

async function send(person: Person, path: string, body: string, method = "PUT", type = "application/octet-stream") {
  const sent = await fetch(target.url + path, { method, body, headers: { ...basic(person), "content-type": type } });
  if (!sent.ok) throw new Error(`${method} ${path}: ${sent.status} ${await sent.text()}`);
}
