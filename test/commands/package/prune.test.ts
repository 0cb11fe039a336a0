import { describe, expect, it } from "vitest";
import { droppingProxy } from "../../support/dropping-proxy.ts";
import { now, type PackageServer, packageServer } from "../../support/oci-registry.ts";
import type { Handler } from "../../support/server.ts";
import { tongs, type World } from "../../support/tongs.ts";

let server: PackageServer;

async function start(first?: Handler, prefix?: string): Promise<void> {
  server = await packageServer(first, prefix);
}

const run = (line: string, world: World = {}) => {
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", ...world.env };
  return tongs(["package", "prune", ...line.split(" "), ...(line.includes("-owner") ? [] : ["--owner", "mara"])], {
    now,
    ...world,
    env,
  });
};

/** `name@version action: reason`, as the plan has it. */
async function planned(line: string): Promise<string[]> {
  const ran = await run(`${line} --plan --json`);
  const rows = ran.json() as { name: string; version: string; action: string; reason: string }[];
  return rows.map((one) => `${one.name}@${one.version.slice(0, 19)} ${one.action}: ${one.reason}`);
}

const short = (digest: string) => digest.slice(0, 19);

describe("package prune", () => {
  it("keeps by number, age and pattern, and says why of every version", async () => {
    await start();
    for (const [version, days] of [
      ["1.0", 90],
      ["1.1", 60],
      ["nightly-1", 50],
      ["nightly-2", 40],
      ["1.2", 20],
      ["1.3", 1],
    ] as const)
      server.add(`generic/charts@${version}`, days);
    server.add("npm/@tide/table@0.1.0", 400, { repository: "mara/harbor" });
    expect(await planned("--keep 2 --older-than 30d --keep-pattern 1.0")).toEqual([
      "@tide/table@0.1.0 keep: linked to mara/harbor",
      "charts@1.3 keep: among the newest 2",
      "charts@1.2 keep: among the newest 2",
      "charts@nightly-2 delete: not among the newest 2, created 1 month ago",
      "charts@nightly-1 delete: not among the newest 2, created 1 month ago",
      "charts@1.1 delete: not among the newest 2, created 2 months ago",
      "charts@1.0 keep: matches '1.0'",
    ]);
    expect(await planned("--older-than 45d --type generic")).toEqual([
      "charts@1.3 keep: newest",
      "charts@1.2 keep: created 20 days ago",
      "charts@nightly-2 keep: created 1 month ago",
      "charts@nightly-1 delete: created 1 month ago",
      "charts@1.1 delete: created 2 months ago",
      "charts@1.0 delete: created 3 months ago",
    ]);
    expect(server.stored).toHaveLength(7);
    const ran = await run("--keep 2 --older-than 30d --keep-pattern 1.0 --json --yes");
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.json()).toEqual(
      ["nightly-2", "nightly-1", "1.1"].map((version) => expect.objectContaining({ version, action: "deleted" })),
    );
    expect(server.left()).toEqual(["@tide/table@0.1.0", "charts@1.0", "charts@1.2", "charts@1.3"]);
    const again = await run("--keep 2 --older-than 30d --keep-pattern 1.0 --json --yes");
    expect([again.code, again.json()]).toEqual([0, []]);
  });

  it("refuses a pattern that is none and an unknown type, and warns of a pattern that matches nothing", async () => {
    await start();
    for (const version of ["1.0.0", "1.0.1"]) server.add(`generic/charts@${version}`, 90);
    for (const pattern of ["[", "v[", "{1", "[]", "a\\", "[z-a]"])
      expect(await run(`--keep 1 --keep-pattern ${pattern} --yes`), pattern).toMatchObject({ code: 2 });
    for (const type of ["nope", "Generic"])
      expect(await run(`--keep 1 --type ${type} --yes`)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("generic"),
      });
    expect(server.seen).toEqual([]);
    const plan = await run("--keep 1 --keep-pattern !1.0.1 --keep-pattern 1.0.[0-1] --plan --json");
    expect(plan.code).toBe(0);
    expect(plan.stderr).toContain("--keep-pattern '!1.0.1' matches no version");
    expect(plan.stderr).not.toContain("1.0.[0-1]");
    const narrow = await run("--keep 1 --plan", { terminal: true, columns: 40 });
    expect(narrow.stdout).toMatch(/\n {2}not among the newest 1\n/);
  });

  it("prunes what is linked, and whole packages, only by name", async () => {
    await start();
    server.add("generic/charts@1", 9, { repository: "mara/harbor" });
    server.add("generic/charts@2", 8, { repository: "mara/harbor" });
    server.add("generic/maps@1", 9);
    expect(await run("--keep 0 --yes")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Name the packages"),
    });
    expect(await run("generic/none --keep 1 --yes")).toMatchObject({ code: 5 });
    expect(await run("generic/charts --keep 1 --yes")).toMatchObject({ code: 0 });
    expect(server.left()).toEqual(["charts@2", "maps@1"]);
    expect(await run("generic/charts --keep 0 --yes")).toMatchObject({ code: 0 });
    expect(server.left()).toEqual(["maps@1"]);
    for (const line of ["--yes", "generic/maps --type generic --keep 1", "--all-owners generic/maps --keep 1"])
      expect(await run(line)).toMatchObject({ code: 2 });
  });

  it("keeps the parts of a kept index, tagged or not, and deletes those of a deleted one after it", async () => {
    await start();
    const shared = server.push("sea/app", undefined, 90, { content: "shared" });
    const arm1 = server.push("sea/app", undefined, 90, { content: "arm1" });
    const amd2 = server.push("sea/app", "v2-amd", 30, { content: "amd2" });
    server.push("sea/app", "v1", 89, { manifests: [shared, arm1] });
    const index = server.push("sea/app", "v2", 29, { manifests: [shared, amd2] });
    const orphan = server.push("sea/app", undefined, 80, { content: "orphan" });
    const fresh = server.push("sea/app", undefined, 0, { content: "fresh" });
    server.push("sea/app", "latest", 70, { content: "old latest" });
    server.push("sea/app", `sha256-${index.slice(7)}.sig`, 29, { content: "signature" });
    const bill = server.push("sea/app", undefined, 89, { subject: arm1, content: "bill" });
    expect(await planned("--keep 1")).toEqual(
      [
        `app@${short(fresh)} keep: untagged: pass --untagged to delete it`,
        `app@sha256-${index.slice(7, 19)} keep: attached to v2`,
        "app@v2 keep: newest",
        "app@v2-amd keep: part of v2",
        "app@latest keep: tag latest",
        `app@${short(orphan)} keep: untagged: pass --untagged to delete it`,
        `app@${short(bill)} delete: attached to ${short(arm1)}, which is deleted`,
        "app@v1 delete: not among the newest 1",
        `app@${short(arm1)} delete: part of v1, which is deleted`,
        `app@${short(shared)} keep: part of v2`,
      ].map((row) => row.replace("app@", "sea/app@")),
    );
    const untagged = await planned("--untagged");
    expect(untagged.filter((row) => row.includes(" delete: "))).toEqual([`sea/app@${short(orphan)} delete: untagged`]);
    expect(untagged).toContain(`sea/app@${short(fresh)} keep: created just now`);
    expect(await run("--keep 1 --untagged --yes")).toMatchObject({ code: 0 });
    expect(server.left()).toEqual(
      [short(fresh), short(shared), `sha256-${index.slice(7, 19)}`, "latest", "v2", "v2-amd"]
        .map((one) => `sea/app@${one}`)
        .sort(),
    );
    const deletes = server
      .lines()
      .filter((one) => one.startsWith("DELETE"))
      .map((one) => decodeURIComponent(one.replace(/.*\//, "")));
    const places = ["v1", arm1, bill].map((one) => deletes.indexOf(one));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });

  it("says of what keeps a manifest although nothing is deleted, and reads none without --plan", async () => {
    await start();
    const part = server.push("app", undefined, 9, { content: "part" });
    const index = server.push("app", "v1", 8, { manifests: [part] });
    server.push("app", `sha256-${index.slice(7)}.sig`, 8, { content: "signature" });
    const loose = server.push("app", undefined, 7, { content: "loose" });
    expect((await planned("--keep 2")).toSorted()).toEqual(
      [
        `app@${short(loose)} keep: untagged: pass --untagged to delete it`,
        `app@${short(part)} keep: part of v1`,
        `app@sha256-${index.slice(7, 19)} keep: attached to v1`,
        "app@v1 keep: among the newest 2",
      ].toSorted(),
    );
    const before = server.seen.length;
    expect(await run("--keep 2 --yes")).toMatchObject({ code: 0 });
    expect(server.seen.slice(before).filter(({ url }) => url.startsWith("/v2/"))).toEqual([]);
  });

  it("asks the registry at the root of the host, and never sends the token as a header of its own there", async () => {
    await start(undefined, "/git");
    server.push("app", "v1", 9, { content: "1" });
    server.push("app", "v2", 8, { content: "2" });
    expect(await run("--keep 1 --yes")).toMatchObject({ code: 0 });
    expect(server.left()).toEqual(["app@v2"]);
    const asked = server.seen.filter(({ url }) => url.startsWith("/v2/"));
    expect(asked.map(({ url }) => url).sort()).toEqual(["/v2/mara/app/manifests/v1", "/v2/mara/app/manifests/v2"]);
    expect(new Set(asked.map(({ headers }) => headers.authorization))).toEqual(
      new Set([`Basic ${Buffer.from("token:not-a-secret").toString("base64")}`]),
    );
    const shown = await run("--keep 1 --plan --debug");
    expect(shown.stderr).not.toContain("not-a-secret");
    expect(shown.stderr).not.toContain(Buffer.from("token:not-a-secret").toString("base64"));
  });

  it("keeps an image whose manifests cannot be read, and prunes the others", async () => {
    await start(({ url }) => (url.includes("/broken/manifests/v2") ? { status: 500 } : undefined));
    for (const image of ["broken", "sound"]) {
      server.push(image, "v1", 9, { content: "1" });
      server.push(image, "v2", 8, { content: "2" });
    }
    const ran = await run("--keep 1 --yes");
    expect(ran).toMatchObject({ code: 11, stderr: expect.stringContaining("manifests of container/broken") });
    expect(server.left()).toEqual(["broken@v1", "broken@v2", "sound@v2"]);
  });

  it("keeps manifests that depend on each other in a circle", async () => {
    await start();
    const part = server.push("app", undefined, 9, { content: "part" });
    server.push("app", `sha256-${part.slice(7)}`, 8, { manifests: [part] });
    server.push("app", "v1", 7, {});
    server.push("app", "v2", 6, { content: "2" });
    expect(await run("--keep 1 --untagged --yes")).toMatchObject({ code: 0 });
    expect(server.left()).toEqual(["app@sha256-" + part.slice(7, 19), `app@${short(part)}`, "app@v2"].sort());
  });

  it("keeps a version that was pushed again after the plan, and a part whose index could not be deleted", async () => {
    await start((seen) => {
      if (seen.method === "DELETE" && seen.url.endsWith("/v1")) return { status: 500 };
      if (seen.method === "GET" && seen.url.endsWith("/charts/1")) server.stored.splice(0, 1);
      if (seen.method === "GET" && seen.url.endsWith("/charts/1")) server.add("generic/charts@1", 0);
      return undefined;
    });
    server.add("generic/charts@1", 9);
    server.add("generic/charts@2", 8);
    const part = server.push("app", undefined, 9, { content: "part" });
    server.push("app", "v1", 9, { manifests: [part] });
    server.push("app", "v2", 8, {});
    const ran = await run("--keep 1 --yes");
    expect(ran.code).not.toBe(0);
    expect(ran.stderr).toContain("It was pushed again after the plan was made");
    expect(ran.stderr).toContain("A version that refers to it could not be deleted");
    expect(server.stored).toHaveLength(5);
  });

  it("prunes all packages of others only for who sees what they are linked to, or by name", async () => {
    let rights: { is_admin?: boolean; is_owner?: boolean; status?: number } = {};
    await start(({ url }) => {
      const answers = { is_owner: rights.is_owner === true, is_admin: false, can_write: true };
      const permissions = { ...answers, can_read: true, can_create_repository: true };
      if (url.includes("/orgs/tidewater/permissions")) return { body: permissions };
      if (!url.endsWith("/user")) return undefined;
      const { status, is_admin = false } = rights;
      const body = { id: 3, login: "jonas", username: "jonas", is_admin };
      return status === undefined ? { body } : { status, body: { message: "token does not have the scope" } };
    });
    for (const version of ["1", "2"]) server.add(`generic/lib@${version}`, 9, { owner: "tidewater" });
    const line = "--owner tidewater --keep 1";
    for (const more of ["--yes", "--plan"]) {
      const refused = await run(`${line} ${more}`);
      expect(refused).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("may not see") });
      expect(refused.stderr).toContain("tongs package prune --owner tidewater TYPE/NAME");
    }
    // A token that may not read its user says nothing of it.
    rights = { status: 403 };
    expect(await run(`${line} --yes`)).toMatchObject({ code: 2 });
    expect(server.stored).toHaveLength(2);
    expect(await planned(`generic/lib ${line}`)).toContain("lib@1 delete: not among the newest 1");
    for (const able of [{ is_admin: true }, { is_owner: true }]) {
      rights = able;
      expect(await planned(line)).toContain("lib@1 delete: not among the newest 1");
    }
    rights = {};
    server.stored.splice(0);
    server.add("generic/lib@1", 9, { owner: "tidewater", repository: "tidewater/harbor" });
    expect(await planned(line)).toEqual(["lib@1 keep: linked to tidewater/harbor"]);
  });

  it("prunes for all owners, and shows the first request of a dry run", async () => {
    await start();
    for (const owner of ["mara", "tidewater"]) {
      server.add("generic/charts@1", 9, { owner });
      server.add("generic/charts@2", 8, { owner });
    }
    const dry = await run("--all-owners --keep 1 --dry-run");
    expect(dry.stdout).toContain("DELETE ");
    expect(server.stored).toHaveLength(4);
    expect(await run("--all-owners --keep 1 --yes")).toMatchObject({ code: 0 });
    expect(server.left()).toEqual(["charts@2", "charts@2"]);
  });

  it("asks before it deletes, with every version and its reason", async () => {
    await start();
    server.add("generic/charts@1", 9);
    server.add("generic/charts@2", 8);
    const ran = await run("--keep 1", { terminal: true, answers: [false] });
    expect(ran.asked).toEqual([expect.stringContaining("Delete 1 version on")]);
    expect(ran.stderr).toContain("Delete generic/charts@1 of mara: not among the newest 1");
    expect(server.stored).toHaveLength(2);
  });

  it("ends well through a proxy that drops every fifth answer", async () => {
    await start();
    const parts = Array.from({ length: 12 }, (_, index) =>
      server.push("app", undefined, 50, { content: `part ${index}` }),
    );
    for (const [index, part] of parts.entries()) server.push("app", `v${index}`, 40 - index, { manifests: [part] });
    for (let index = 0; index < 30; index += 1) server.add(`generic/charts@${index}`, 60 - index);
    const proxy = await droppingProxy(server.url);
    let ran = await run("--keep 3 --yes", { env: { TONGS_HOST: proxy.url } });
    for (let runs = 0; ran.code !== 0 && runs < 20; runs += 1)
      ran = await run("--keep 3 --yes", { env: { TONGS_HOST: proxy.url } });
    expect(ran.code).toBe(0);
    const kept = ["v9", "v10", "v11", ...parts.slice(9).map(short)].map((one) => `app@${one}`);
    expect(server.left()).toEqual([...kept, "charts@27", "charts@28", "charts@29"].sort());
  });
});
