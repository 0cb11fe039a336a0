import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { openProfiles } from "../../../src/profiles/profiles.ts";
import { type Handler, serve } from "../../support/server.ts";
import { emptyFolder, type Ran, tongs, type World } from "../../support/tongs.ts";
import { onSandbox } from "../on-sandbox.ts";
import { end, pull } from "../pr/pulls.ts";

const sandbox = await onSandbox();
beforeAll(async () => {
  await sandbox.ask("POST", "/repos/mara/harbor/issues", "mara", { title: "Tide gauge", assignees: ["harbormaster"] });
  await sandbox.ask("POST", "/repos/mara/harbor/pulls/4/requested_reviewers", "mara", { reviewers: ["harbormaster"] });
  const pull = await sandbox.ask("GET", "/repos/mara/harbor/pulls/4", "mara");
  const { head, user } = pull.body as {
    readonly head: { readonly sha: string };
    readonly user: { readonly login: string };
  };
  author = user.login;
  const failed = { state: "failure", context: "ci/tides", description: "broken" };
  await sandbox.ask("POST", `/repos/mara/harbor/statuses/${head.sha}`, "mara", failed);
  await sandbox.ask("POST", `/repos/mara/harbor/statuses/${head.sha}`, "mara", {
    state: "success",
    context: "ci/docs",
  });
});
let author = "";

/** Runs tongs with these profiles. */
async function withProfiles(
  stored: Readonly<Record<string, { readonly host: string; readonly token?: string }>>,
  line: readonly string[],
  world: World = {},
): Promise<Ran> {
  const profiles = openProfiles({
    env: { TONGS_CONFIG_DIR: join(emptyFolder(), "tongs") },
    platform: process.platform,
  });
  for (const [name, { host, token }] of Object.entries(stored)) {
    await profiles.update((config) => ({ ...config, profiles: { ...config.profiles, [name]: { host } } }));
    if (token !== undefined) await profiles.credentials.set(name, token);
  }
  return tongs(line, { ...world, env: { TONGS_CONFIG_DIR: profiles.folder, ...world.env } });
}

const home = () => ({ host: sandbox.url, token: sandbox.token("harbormaster") });

/** A server with one unread notification and nothing else. */
const withNews: Handler = ({ url }) => {
  if (!url.startsWith("/api/v1/notifications")) return { body: [] };
  const subject = {
    title: "Rope is frayed",
    html_url: "http://elsewhere/tide/quay/issues/7",
    type: "Issue",
    state: "open",
  };
  const body = [
    {
      id: 4,
      repository: { full_name: "tide/quay" },
      subject,
      unread: true,
      pinned: false,
      updated_at: "2026-11-21T09:56:29Z",
    },
  ];
  return { body };
};
/** A server that accepts requests and never answers. */
const silent: Handler = () => new Promise(() => undefined);

describe("status", () => {
  it("shows reviews, assigned issues, failing checks and notifications of all profiles", async () => {
    const news = await serve(withNews);
    const own = { host: sandbox.url, token: sandbox.token(author) };
    const ran = await withProfiles({ home: home(), own, work: { host: news.url, token: "not-a-secret" } }, [
      "status",
      "--timeout",
      "60",
    ]);
    expect([ran.code, ran.stderr]).toEqual([0, ""]);
    const rows = ran.stdout.split("\n").map((row) => row.split("\t").slice(0, 4).join(" | "));
    expect(rows).toContainEqual(expect.stringMatching(/^review requested \| home \| mara\/harbor#4 \| /));
    expect(rows).toContainEqual(expect.stringMatching(/^assigned \| home \| mara\/harbor#\d+ \| Tide gauge$/));
    expect(rows).toContainEqual(expect.stringMatching(/^checks failing \| own \| mara\/harbor#4 \| .*ci\/tides/));
    expect(rows).toContain("notification | work | tide/quay#7 | Rope is frayed");
    expect(ran.stdout).not.toContain("ci/docs");
  });

  it("says on a terminal that nothing is waiting", async () => {
    const quiet = await serve(() => ({ body: [] }));
    const ran = await withProfiles({ work: { host: quiet.url, token: "not-a-secret" } }, ["status"], {
      terminal: true,
    });
    expect(ran.code).toBe(0);
    expect(ran.stdout + ran.stderr).toContain("Nothing is waiting for you");
  });

  it("prints records with the server's own records inside", async () => {
    const ran = await withProfiles({ home: home() }, ["status", "--json", "--timeout", "60"]);
    const items = ran.json() as readonly { readonly kind: string }[];
    expect(items.find(({ kind }) => kind === "assigned")).toMatchObject({
      kind: "assigned",
      profile: "home",
      host: sandbox.url,
      repository: "mara/harbor",
      title: "Tide gauge",
      checks: [],
      record: { state: "open", title: "Tide gauge" },
    });
  });

  it("names a server that does not answer in time, and shows the others", async () => {
    const [slow, fast] = [await serve(silent), await serve(withNews)];
    const stored = { fast: { host: fast.url, token: "not-a-secret" }, slow: { host: slow.url, token: "not-a-secret" } };
    const ran = await withProfiles(stored, ["status"]);
    expect([ran.code, ran.stderr]).toEqual([11, expect.stringContaining("slow: No response within 2 s")]);
    expect(ran.stdout).toContain("Rope is frayed");
    const records = await withProfiles(stored, ["status", "--json"]);
    expect(records.code).toBe(11);
    expect(JSON.parse(records.stderr)).toMatchObject({ error: { code: "timeout" } });
  });

  it("reports what one server refuses once, and still shows the rest of it", async () => {
    const partial = await serve((seen, ...rest) => {
      if (seen.url.startsWith("/api/v1/notifications")) return withNews(seen, ...rest);
      return { status: 403, body: { message: "token does not have at least one of required scope(s)" } };
    });
    const ran = await withProfiles({ part: { host: partial.url, token: "not-a-secret" } }, ["status"]);
    expect([ran.code, ran.stdout]).toEqual([11, expect.stringContaining("Rope is frayed")]);
    expect(ran.stderr.match(/part: Permission denied/g)).toHaveLength(1);
  });

  it("ends with the reason if no server answered", async () => {
    const down = await serve(() => ({ status: 500, body: { message: "disk full" } }));
    const stored = { down: { host: down.url, token: "not-a-secret" }, out: { host: "http://127.0.0.1:9" } };
    const ran = await withProfiles(stored, ["status"]);
    expect([ran.code, ran.stdout]).toEqual([7, ""]);
    expect(ran.stderr).toContain("out: Not signed in to http://127.0.0.1:9");
    const alone = await withProfiles({ out: { host: "http://127.0.0.1:9" } }, ["status", "--json"]);
    expect([alone.code, JSON.parse(alone.stderr)]).toMatchObject([4, { error: { code: "not_signed_in" } }]);
    expect((await withProfiles({}, ["status"])).code).toBe(4);
  });

  /** A server with two open pull requests of the user, both with a failed check. */
  const withPulls: Handler = ({ url }) => {
    if (url.includes("/repos/issues/search") && url.includes("created=true")) {
      const all = [6, 5].map((number) => ({
        id: number,
        number,
        title: `Change ${number}`,
        state: "open",
        updated_at: "2026-11-21T09:56:29Z",
        repository: { id: 1, name: "harbor", owner: "mara", full_name: "mara/harbor" },
      }));
      const limit = Number(new URL(url, "http://x").searchParams.get("limit"));
      return { headers: { "x-total-count": "2" }, body: all.slice(0, limit) };
    }
    if (/\/pulls\/\d$/.test(url)) return { body: pull(Number(url.at(-1)), { head: end(`change-${url.at(-1)}`) }) };
    const failed = { id: 1, context: "ci/tides", status: "failure" };
    return url.includes("/status") ? { body: { statuses: [failed] } } : { body: [] };
  };

  it("says that not all pull requests were looked at for failed checks", async () => {
    const stored = { home: { host: (await serve(withPulls)).url, token: "not-a-secret" } };
    const ran = await withProfiles(stored, ["status", "--limit", "1"]);
    expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining("mara/harbor#6")]);
    expect(ran.stderr).toBe("home has more. Use --limit N or --all to list more.\n");
    expect((await withProfiles(stored, ["status", "--limit", "2"])).stderr).toBe("");
  });

  describe.each([["status"], ["pr list --everywhere"], ["issue list --everywhere"], ["run list --everywhere"]])(
    "%s",
    (line) => {
      const words = line.split(" ");

      it("asks only the server that the environment selects, or does not ask the others without a word", async () => {
        const [one, other, third] = [await serve(withPulls), await serve(withPulls), await serve(withPulls)];
        const stored = {
          home: { host: one.url, token: "not-a-secret" },
          work: { host: other.url, token: "not-a-secret" },
        };
        const byProfile = await withProfiles(stored, words, { env: { TONGS_PROFILE: "work" } });
        const env = { TONGS_HOST: third.url, TONGS_TOKEN: "another-false-one" };
        expect((await withProfiles({}, words, { env })).code).toBe(0);
        if (words.includes("--everywhere")) {
          const byHost = await withProfiles(stored, words, { env });
          expect([byProfile.code, byHost.code, one.seen.length, other.seen.length]).toEqual([2, 2, 0, 0]);
          expect([byProfile.stderr, byHost.stderr].join()).toMatch(
            /Unset TONGS_PROFILE first.*Unset TONGS_HOST first/s,
          );
          return;
        }
        expect([byProfile.code, one.seen.length, other.seen.length > 0]).toEqual([0, 0, true]);
        const asked = other.seen.length;
        expect((await withProfiles(stored, words, { env })).code).toBe(0);
        expect([one.seen.length, other.seen.length]).toEqual([0, asked]);
        expect(new Set(third.seen.map(({ headers }) => headers["authorization"]))).toEqual(
          new Set(["token another-false-one"]),
        );
      });

      it("refuses a TONGS_PROFILE that does not exist", async () => {
        const one = await serve(withPulls);
        const stored = { home: { host: one.url, token: "not-a-secret" } };
        const ran = await withProfiles(stored, words, { env: { TONGS_PROFILE: "wrok" } });
        expect(ran).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("Profile 'wrok' not found") });
        expect(one.seen).toEqual([]);
      });
    },
  );

  it.each([
    ["status", /mara\/harbor#6/],
    ["pr list --everywhere", /Change 6/],
    ["pr list --all-repos --profile home", /Change 6/],
    ["issue list --everywhere", /Change 6/],
  ])("%s shows the others if a record cannot be read", async (line, shown) => {
    const broken = await serve((seen, ...rest) => {
      if (seen.url.endsWith("/user")) return { body: { id: 1, login: "mara" } };
      if (seen.url.endsWith("/pulls/5")) return { body: { ...pull(5), head: null } };
      if (!seen.url.includes("/issues/search") || !seen.url.includes("type=issues")) return withPulls(seen, ...rest);
      const body = [
        { id: 6, number: 6, title: "Change 6", state: "open" },
        { id: 5, number: null },
      ];
      return { headers: { "x-total-count": "2" }, body };
    });
    const stored = { home: { host: broken.url, token: "not-a-secret" } };
    const ran = await withProfiles(stored, [...line.split(" "), ...(line.startsWith("pr") ? ["--author", "@me"] : [])]);
    expect(ran).toMatchObject({ code: 11, stdout: expect.stringMatching(shown) });
    expect(ran.stderr).toMatch(/something that is not (a pull request: head is null|an issue: number is null)/);
  });

  it("asks only the server of --profile, and cuts each kind at --limit", async () => {
    const other = await serve(withNews);
    const stored = { home: home(), work: { host: other.url, token: "not-a-secret" } };
    const ran = await withProfiles(stored, ["status", "--profile", "home", "--limit", "1", "--timeout", "60"]);
    expect(ran.code).toBe(0);
    expect(other.lines()).toEqual([]);
    const kinds = ran.stdout
      .trim()
      .split("\n")
      .map((row) => row.split("\t")[0]);
    expect(new Set(kinds).size).toBe(kinds.length);
  });
});
