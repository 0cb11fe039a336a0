import { describe, expect, it } from "vitest";
import { type Reply, serve } from "../support/server.ts";
import { tongs } from "../support/tongs.ts";
import { onSandbox } from "./on-sandbox.ts";

const text = { "content-type": "text/plain; charset=utf-8" };
const lacking: Reply = { status: 404, headers: text, body: "404 page not found\n" };

/** What a server answers, by path; every other operation is missing. */
function replies(url: string): Reply {
  const path = url.replace("/api/v1", "").split("?")[0] ?? "";
  const known: Readonly<Record<string, Reply>> = {
    "/version": { body: { version: "9.0.0+gitea-1.22.0" } },
    "/settings/api": { body: { max_response_items: 50, default_paging_num: 30, default_max_blob_size: 10485760 } },
    "/settings/repository": { body: { stars_disabled: true, time_tracking_disabled: true, lfs_disabled: false } },
    "/settings/ui": { body: { default_theme: "forgejo-auto", allowed_reactions: ["+1", "eyes"] } },
    "/settings/attachment": { body: { enabled: true, allowed_types: ".png", max_size: 2048, max_files: 5 } },
    "/signing-key.gpg": { headers: text, body: "" },
    "/nodeinfo": { body: { version: "2.1", openRegistrations: true } },
    "/repos/-/-/actions/artifacts": { status: 404, body: { message: "not found" } },
    "/orgs/-/rename": { status: 405, headers: { allow: "POST" } },
    "/repos/-/-/merge-upstream": { status: 405, headers: { allow: "GET" } },
    "/user": { body: { login: "mara" } },
  };
  return known[path] ?? lacking;
}

describe("server", () => {
  it("prints version, limits, settings, and what is missing", async () => {
    const server = await serve(({ url }) => replies(url), { saysVersion: true });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const ran = await tongs(["server"], { env });
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain("title\tForgejo 9.0.0+gitea-1.22.0\n");
    expect(ran.stdout).toContain("counts as\tForgejo 9.0\n");
    expect(ran.stdout).toContain("maximum page size\t50\n");
    expect(ran.stdout).toContain("maximum attachment size\t2.0 GiB\n");
    expect(ran.stdout).toContain("turned off\tstars, time tracking\n");
    expect(ran.stdout).toContain("federation\ton\n");
    expect(ran.stdout).toMatch(/^missing\tworkflows, .*fork syncs.*$/m);
    const missing = /^missing\t(.*)$/m.exec(ran.stdout)?.[1]?.split(", ") ?? [];
    // One answers that a record is missing, one that the path has another method: they exist.
    expect(missing).not.toContain("artifacts");
    expect(missing).not.toContain("organization renames");
    expect(server.lines().filter((line) => !line.startsWith("GET "))).toEqual([]);
    await server.close();
  });

  it("knows that forks can be synced by one of two operations", async () => {
    const server = await serve(
      ({ url }) => (url.endsWith("/-/-/sync_fork/-") ? { status: 404, body: { message: "not found" } } : replies(url)),
      { saysVersion: true },
    );
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    expect((await tongs(["server"], { env })).stdout).toMatch(/^missing\t(?!.*fork syncs)workflows, .*$/m);
    await server.close();
  });

  it("prints the records of the server as JSON; an empty signing key is null", async () => {
    const server = await serve(({ url }) => replies(url), { saysVersion: true });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const ran = await tongs(["server", "--json"], { env });
    expect(ran.json()).toMatchObject({
      url: server.url,
      version: "9.0.0+gitea-1.22.0",
      release: "Forgejo 9.0",
      settings: { api: { default_max_blob_size: 10485760 }, attachment: { allowed_types: ".png" } },
      signing_keys: { gpg: null, ssh: null },
      nodeinfo: { openRegistrations: true },
    });
    await server.close();
  });

  it("needs no token", async () => {
    const sandbox = await onSandbox();
    const ran = await tongs(["server", "--json", "version,missing"], { env: { TONGS_HOST: sandbox.url } });
    expect(ran.code).toBe(0);
    const { missing } = ran.json() as { readonly missing: readonly string[] };
    expect(missing).not.toContain("artifacts");
    await sandbox.close();
  });

  it("reports a server that does not answer once", async () => {
    const server = await serve(() => ({ status: 200, body: {} }));
    await server.close();
    const ran = await tongs(["server"], { env: { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" } });
    expect([ran.code, ran.stderr.match(/✗/g)?.length]).toEqual([6, 1]);
  });
});
