import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { artifactList } from "../../src/forge/artifacts.ts";
import { forkSync, upstreamMerge } from "../../src/forge/forks.ts";
import { since } from "../../src/forge/generated/since.ts";
import { labelList } from "../../src/forge/labels.ts";
import { runCancel, runGet, runList } from "../../src/forge/runs.ts";
import { availableWith, countedAs, hasOperation, type Needs, releaseOf } from "../../src/forge/support.ts";
import { type Reply, serve } from "../support/server.ts";
import { emptyFolder, tongs } from "../support/tongs.ts";

describe("the release of a version", () => {
  it.each([
    ["1.26.0", "gitea", "1.26", false],
    ["28.1.0", "gitea", "28", false],
    ["29.0.0+dev-595-g2a2c0e5a1b", "gitea", "29", true],
    // What its development version said before the "1." was dropped.
    ["1.28.0+dev-595-g2a2c0e5a1b", "gitea", "28", true],
    ["v1.24.0-rc1", "gitea", "1.24", true],
    ["16.0.1+gitea-1.22.0", "forgejo", "16.0", false],
    ["10.0.0-dev-2+gitea-1.22.0", "forgejo", "10.0", true],
  ])("%s is %s %s (before it: %s)", (version, product, number, isBefore) => {
    expect(releaseOf(version)).toEqual({ product, number, isBefore });
  });

  it("is not known of another text", () => {
    expect(["", "unknown", "development"].map(releaseOf)).toEqual([undefined, undefined, undefined]);
  });

  it.each([
    ["1.26.0", "Gitea 1.26"],
    ["28.1.0", "Gitea 28"],
    ["28.0.0+dev-595-g2a2c0e5a1b", "Gitea 28 before its release"],
    ["29.0.0", "Gitea 28, the newest known"],
    ["99.0.0+gitea-1.22.0", "Forgejo 17.0, the newest known"],
    ["1.19.4", "Gitea 1.22, the oldest known"],
    ["unknown", undefined],
  ])("%s counts as %s", (version, counted) => {
    expect(countedAs(version)).toBe(counted);
  });

  it.each([
    ["11.0.3+gitea-1.22.0", { forgejo: "12.0" }, "no"],
    ["12.0.0+gitea-1.22.0", { forgejo: "12.0" }, "yes"],
    ["12.0.0-rc1+gitea-1.22.0", { forgejo: "12.0" }, "unknown"],
    ["13.0.0-dev+gitea-1.22.0", { forgejo: "12.0" }, "yes"],
    ["17.0.1+gitea-1.22.0", { forgejo: "-" }, "no"],
    ["99.1.0+gitea-1.22.0", { forgejo: "16.0" }, "yes"],
    ["99.1.0+gitea-1.22.0", { forgejo: "-" }, "unknown"],
    ["28.1.0", { gitea: "-" }, "no"],
    ["29.0.0", { gitea: "-" }, "unknown"],
    ["29.0.0", { until: { gitea: "28" } }, "unknown"],
    ["1.19.4", { gitea: "1.23" }, "no"],
    ["1.19.4", { forgejo: "8.0" }, "yes"],
    ["1.26.1", { until: { gitea: "1.27" } }, "yes"],
    ["1.27.0", { until: { gitea: "1.27" } }, "no"],
  ])("%s has an operation of %j: %s", (version, since, has) => {
    const release = releaseOf(version);
    expect(release && hasOperation(release, since)).toBe(has);
  });
});

describe("the releases that have what a command needs", () => {
  it.each<[Needs, string | undefined]>([
    [[labelList], undefined],
    [[runCancel], "Available since Gitea 28 and Forgejo 16.0."],
    // All of them; at one of their levels.
    [[artifactList, runGet], "Available since Gitea 1.25 and Forgejo 16.0."],
    [[runList], "Available since Gitea 1.25 and Forgejo 12.0."],
    // One of a list.
    [[[upstreamMerge, forkSync]], "Available since Gitea 1.23 and Forgejo 12.0."],
    [[[upstreamMerge, labelList]], undefined],
  ])("case %#", (needs, text) => {
    expect(availableWith(needs)).toBe(text);
  });
});

describe("an operation that not all releases have", () => {
  it("is refused before it is sent, with the release that has it", async () => {
    const server = await serverOf("10.0.3+gitea-1.22.0");
    const ran = await server.run("org rename tidewater lowwater");
    expect(ran).toMatchObject({ code: 5, stdout: "" });
    expect(ran.stderr).toContain(`This needs Forgejo 11.0; ${new URL(server.url).host} is 10.0\n`);
    expect(ran.stderr).toContain("Available since Gitea 1.24 and Forgejo 11.0.");
    expect(server.lines()).toEqual(["GET /api/v1/version"]);
  });

  it("is refused in JSON with its code, and without a status: nothing was sent", async () => {
    const server = await serverOf("11.0.3+gitea-1.22.0");
    const ran = await server.run("runner list --org tidewater --json");
    const { error } = JSON.parse(ran.stderr);
    expect([ran.code, error.code]).toEqual([5, "unknown_operation"]);
    expect(error.status).toBeUndefined();
  });

  it("is sent where the release has it; the version is asked for once a day", async () => {
    const server = await serverOf("1.26.0");
    await server.run("runner list --org tidewater");
    await server.run("runner list --org tidewater");
    const runners = expect.stringMatching(/^GET \/api\/v1\/orgs\/tidewater\/actions\/runners/);
    expect(server.lines()).toEqual(["GET /api/v1/version", runners, runners]);
    server.age(25);
    await server.run("runner list --org tidewater");
    expect(server.lines().slice(3)).toEqual(["GET /api/v1/version", runners]);
  });

  it("is sent to a server that was updated, though an older version is kept", async () => {
    const server = await serverOf("11.0.3+gitea-1.22.0");
    await server.run("runner list --org tidewater");
    server.version = "15.0.0+gitea-1.22.0";
    expect((await server.run("runner list --org tidewater")).code).toBe(0);
  });

  it("is asked about anew after a 404 that the kept version contradicts", async () => {
    const server = await serverOf("15.0.0+gitea-1.22.0");
    await server.run("runner list --org tidewater");
    server.has = false;
    await server.run("runner list --org tidewater");
    server.version = "11.0.3+gitea-1.22.0";
    const ran = await server.run("runner list --org tidewater");
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining("Forgejo 15.0")]);
    expect(server.lines().at(-1)).toBe("GET /api/v1/version");
  });

  it("is sent to a server that does not say its version", async () => {
    const server = await serverOf(undefined);
    expect((await server.run("runner list --org tidewater")).code).toBe(0);
  });

  it.each(["29.0.0", "18.0.0+gitea-1.22.0", "99.0.0", "99.0.0+gitea-1.22.0"])(
    "is sent to %s, which is newer than every known release, whatever it is",
    async (version) => {
      const release = releaseOf(version);
      const refused = Object.values(since).filter((of) => release && hasOperation(release, of) === "no");
      expect(refused).toEqual([]);
      const server = await serverOf(version);
      for (const [line, request] of [
        ["issue lock 1 -R mara/harbor", "PUT /api/v1/repos/mara/harbor/issues/1/lock"],
        ["secret list --user", "GET /api/v1/user/actions/secrets"],
        ["hook list --admin --type default", "GET /api/v1/admin/hooks?type=default"],
      ] as const) {
        const ran = await server.run(line);
        expect(
          server.lines().some((sent) => sent.startsWith(request)),
          ran.stderr,
        ).toBe(true);
      }
      await server.close();
    },
  );

  it("does not delay what all releases have", async () => {
    const server = await serverOf("11.0.3+gitea-1.22.0");
    await server.run("org view tidewater");
    expect(server.lines()).toEqual(["GET /api/v1/orgs/tidewater"]);
  });
});

describe("a release that no table has", () => {
  const lock = { put: { parameters: [{ name: "index", in: "path" }] } };
  const hooks = { get: { parameters: [{ name: "Type", in: "query", type: "string" }] } };
  const swagger = "GET /swagger.v1.json";

  it.each(["29.0.0", "99.0.0+gitea-1.22.0", "28.1.0-dev-7", "development"])(
    "has what its own description has: %s, read once for a version",
    async (version) => {
      const server = await serverOf(version);
      server.paths = { "/repos/{o}/{r}/issues/{n}/lock": lock };
      await server.run("issue lock 1 -R mara/harbor");
      await server.run("issue lock 1 -R mara/harbor");
      const sent = server.lines().filter((line) => line.startsWith("PUT /api/v1/repos/mara/harbor/issues/1/lock"));
      expect(sent).toHaveLength(2);
      expect(server.lines().filter((line) => line === swagger).length).toBeLessThanOrEqual(1);
    },
  );

  it("lacks an operation that it does not describe, and one that went: nothing is sent", async () => {
    for (const line of ["user badge list mara", "org rename tidewater lowwater"]) {
      const server = await serverOf("99.0.0+gitea-1.22.0");
      server.paths = { "/version": { get: {} } };
      const ran = await server.run(line);
      const { host } = new URL(server.url);
      expect(ran).toMatchObject({ code: 5, stdout: "" });
      const isOther = line.startsWith("user");
      const why = isOther ? `${host} is Forgejo 99.0\n` : `${host} (99.0.0+gitea-1.22.0) does not describe it\n`;
      expect(ran.stderr).toContain(why);
      expect(server.lines()).toEqual(["GET /api/v1/version", swagger]);
      await server.close();
    }
  });

  it("is asked for its description again after an update, and after a 404 that it contradicts", async () => {
    const server = await serverOf("99.0.0+gitea-1.22.0");
    server.paths = { "/version": { get: {} } };
    expect((await server.run("runner list --org tidewater")).code).toBe(5);
    server.version = "99.0.1+gitea-1.22.0";
    server.paths = { "/orgs/{org}/actions/runners": { get: {} } };
    expect((await server.run("runner list --org tidewater")).code).toBe(0);
    server.has = false;
    expect((await server.run("runner list --org tidewater")).code).toBe(5);
    server.paths = { "/version": { get: {} } };
    await server.run("runner list --org tidewater");
    expect(server.lines().at(-1)).toBe(swagger);
  });

  it("reads the parameters that it describes, in any case, and no others", async () => {
    const server = await serverOf("99.0.0+gitea-1.22.0");
    server.paths = { "/admin/hooks": hooks };
    await server.run("hook list --admin --type default");
    expect(server.lines().at(-1)).toMatch(/^GET \/api\/v1\/admin\/hooks\?type=default/);
    const other = await serverOf("99.0.0+gitea-1.22.0");
    other.paths = { "/admin/hooks": { get: {} } };
    const ran = await other.run("hook list --admin --type default");
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining("--type needs Gitea")]);
  });

  it("is sent what no description has, though servers have it", async () => {
    const server = await serverOf("29.0.0");
    server.paths = { "/version": { get: {} } };
    await server.run("file list -R mara/harbor --commits");
    expect(server.lines().at(-1)).toContain("GET /api/v1/repos/mara/harbor/contents-ext");
  });

  it.each([
    ["keeps it to itself", { status: 404 }],
    ["is broken", { status: 502 }],
    ["sends a page", { headers: { "content-type": "text/html" }, body: "<title>Sign in</title>" }],
  ])("is sent everything if it %s", async (_what, description) => {
    const server = await serverOf("99.0.0+gitea-1.22.0");
    server.description = description;
    expect((await server.run("runner list --org tidewater")).code).toBe(0);
  });

  it("says in doctor and server where it is known from what it has", async () => {
    const server = await serverOf("29.0.0");
    server.paths = { "/orgs/{org}/actions/runners": { get: {} } };
    const about = await server.run("server");
    expect(about.stdout).toContain("operations known from\tits own description\n");
    expect(about.stdout).toMatch(/^missing\t.*pr lock/m);
    expect(about.stdout).not.toMatch(/^missing\t.*runner list,/m);
    expect((await server.run("doctor")).stdout).toContain("Gitea 29.0.0 (operations known from its own description)");
    const silent = await serverOf("29.0.0");
    silent.description = { status: 404 };
    const newest = "operations known from\tGitea 28, the newest known\n";
    expect((await silent.run("server")).stdout).toContain(newest);
  });
});

describe("a flag that sets what the server ignores, as a recording proves", () => {
  const onForgejo = (version = "11.0.3+gitea-1.22.0") => serverOf(version);

  it("is refused before anything is sent, with the release that has it", async () => {
    const server = await onForgejo();
    const ran = await server.run("repo edit mara/harbor --description Lights --no-has-code");
    expect(ran).toMatchObject({ code: 5, stdout: "" });
    const host = new URL(server.url).host;
    expect(ran.stderr).toContain(`--has-code needs Gitea 1.25; ${host} is Forgejo 11.0\n`);
    expect(ran.stderr).toContain("Available since Gitea 1.25. Forgejo 17.0 does not have it.");
    expect(server.lines()).toEqual(["GET /api/v1/version"]);
  });

  it("has the code of what is missing in JSON", async () => {
    const server = await onForgejo();
    const ran = await server.run("hook list --admin --type default --json");
    expect([ran.code, JSON.parse(ran.stderr).error.code]).toEqual([5, "unknown_operation"]);
  });

  it("is sent by a product that no recording speaks of, and where the release has it", async () => {
    for (const version of ["1.23.0", "1.26.0"]) {
      const server = await serverOf(version);
      await server.run("hook list --admin --type default");
      expect(server.lines()[1]).toMatch(/^GET \/api\/v1\/admin\/hooks\?type=default/);
      await server.close();
    }
  });

  it("is no reason to ask for the version if it is not given", async () => {
    const server = await onForgejo();
    await server.run("repo edit mara/harbor --description Lights");
    expect(server.lines()).not.toContain("GET /api/v1/version");
  });

  it("is sent if no recording proves anything of it: the answer is looked at", async () => {
    const server = await onForgejo();
    await server.run(
      "repo migrate https://example.org/tide.git --service codecommit --aws-access-key-id none --repo-owner mara",
    );
    expect(server.lines()).not.toContain("GET /api/v1/version");
    expect(server.lines()).toContain("POST /api/v1/repos/migrate");
  });
});

/** What a server answers; without a description, it publishes none. */
interface Served {
  version: string | undefined;
  has: boolean;
  paths: object | undefined;
  description: Reply | undefined;
}

/** A server of a version, with an organization and no runners. */
async function serverOf(version: string | undefined) {
  const home = emptyFolder();
  const state: Served = { version, has: true, paths: undefined, description: undefined };
  const server = await serve(
    ({ url }) => {
      if (url === "/api/v1/version") {
        return state.version === undefined
          ? { status: 500, body: { message: "" } }
          : { body: { version: state.version } };
      }
      if (url === "/swagger.v1.json" && state.description) return state.description;
      if (url === "/swagger.v1.json" && state.paths)
        return { body: { swagger: "2.0", basePath: "/api/v1", paths: state.paths } };
      if (url === "/api/v1/orgs/tidewater") return { body: { id: 1, name: "tidewater" } };
      return state.has
        ? { body: { runners: [], total_count: 0 } }
        : { status: 404, headers: { "content-type": "text/plain" }, body: "404 page not found" };
    },
    { saysVersion: true },
  );
  return Object.assign(state, {
    url: server.url,
    lines: () => server.lines(),
    close: () => server.close(),
    run: (line: string) =>
      tongs(line.split(" "), { env: { HOME: home, TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" } }),
    /** Makes what is kept older. */
    age(hours: number) {
      const folder = join(home, ".cache/tongs/servers");
      const then = new Date(Date.now() - hours * 3_600_000);
      for (const name of readdirSync(folder)) utimesSync(join(folder, name), then, then);
    },
  });
}
