import { describe, expect, it } from "vitest";
import { type Reply, serve } from "../support/server.ts";
import { tongs } from "../support/tongs.ts";
import { onSandbox } from "./on-sandbox.ts";

const text = { "content-type": "text/plain; charset=utf-8" };
const lacking: Reply = { status: 404, headers: text, body: "404 page not found\n" };

interface Features {
  readonly missing: readonly string[];
  readonly features: readonly { readonly command: string; readonly available: boolean; readonly releases: string }[];
}

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
    // The release tells: workflows can be run, and nothing of artifacts is there.
    expect(ran.stdout).toMatch(/^missing\tpr lock, .*repo sync, .*workflow list, .*artifact, .*$/m);
    // A flag of a command that is there.
    expect(ran.stdout).toMatch(/^missing\t.*run list --admin/m);
    expect(ran.stdout).not.toContain("cancel --force");
    expect(ran.stdout).not.toMatch(/^missing\t.*(workflow run|tag protection|artifact list)/m);
    expect(
      server.lines().filter((line) => !/^GET \/api\/v1\/(version|settings|signing-key|nodeinfo)/.test(line)),
    ).toEqual([]);
  });

  it("looks only for what came with the release that the server is built before", async () => {
    const about: Readonly<Record<string, Reply>> = {
      "/version": { body: { version: "16.0.0-dev-3+gitea-1.22.0" } },
      "/repos/-/-/actions/runs/0/cancel": { status: 405, headers: { allow: "POST" } },
      "/repos/-/-/actions/artifacts/0": { status: 405, headers: { allow: "GET" } },
      "/repos/-/-/actions/artifacts": { status: 404, body: { message: "not found" } },
    };
    const server = await serve(({ url }) => about[url.replace("/api/v1", "")] ?? replies(url), { saysVersion: true });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const ran = await tongs(["server", "--json"], { env });
    const { missing, features } = ran.json() as Features;
    expect(missing).toEqual(expect.arrayContaining(["run logs", "run delete", "artifact delete", "workflow list"]));
    const available = features.flatMap((one) => (one.available ? [one.command] : []));
    expect(available).toEqual(expect.arrayContaining(["run list", "run view", "run cancel", "artifact list"]));
    expect(available).not.toContain("artifact delete");
    const looked = server.lines().filter((line) => line.includes("/-/-/"));
    expect(looked).toContain("GET /api/v1/repos/-/-/actions/runs/0/cancel");
    expect(
      looked.filter((line) => !/actions\/(runs\/0(\/(cancel|jobs|artifacts))?|artifacts.*|jobs\/0\/logs)$/.test(line)),
    ).toEqual([]);
  });

  it("lists with --features what the server has and lacks, and since when releases have it", async () => {
    const server = await serve(({ url }) => replies(url), { saysVersion: true });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const ran = await tongs(["server", "--features"], { env });
    expect(ran.stdout).toContain("workflow list\tno\tGitea 1.24\n");
    expect(ran.stdout).toContain("workflow run\tyes\tGitea 1.24, Forgejo 8.0\n");
    expect(ran.stdout).toContain("run list --admin\tno\tGitea 1.25\n");
    // Fields that flags set.
    expect(ran.stdout).toContain("team edit --visibility\tno\tGitea 1.27\n");
    expect(ran.stdout).toContain("release edit --hide-archive-links\tyes\tForgejo 8.0\n");
    expect(ran.stdout).not.toContain("label");
    expect(server.lines()).toEqual(["GET /api/v1/version"]);
    const { features } = (await tongs(["server", "--features", "--json"], { env })).json() as Features;
    expect(features).toContainEqual({ command: "run cancel", available: false, releases: "Gitea 28, Forgejo 16.0" });
    expect(features.map(({ command }) => command)).not.toContain("run cancel --force");
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
  });

  it("lacks nothing if its version is not that of a release", async () => {
    const server = await serve(
      ({ url }) => (url === "/api/v1/version" ? { body: { version: "development" } } : replies(url)),
      { saysVersion: true },
    );
    const ran = await tongs(["server", "--json"], { env: { TONGS_HOST: server.url } });
    expect((ran.json() as Features).missing).toEqual([]);
  });

  it("needs no token", async () => {
    const sandbox = await onSandbox();
    const ran = await tongs(["server", "--json", "version,missing"], { env: { TONGS_HOST: sandbox.url } });
    expect(ran.code).toBe(0);
    const { missing } = ran.json() as { readonly missing: readonly string[] };
    expect(missing).not.toContain("artifacts");
  });

  it("reports a server that does not answer once", async () => {
    const server = await serve(() => ({ status: 200, body: {} }));
    await server.close();
    const ran = await tongs(["server"], { env: { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" } });
    expect([ran.code, ran.stderr.match(/✗/g)?.length]).toEqual([6, 1]);
  });
});
