import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type Handler, type Reply, serve } from "../../support/server.ts";
import { type Ran, tongs, type World } from "../../support/tongs.ts";
import { unknownRoute } from "./forge.ts";

interface Exchange {
  readonly label: string;
  readonly request: { readonly method: string; readonly path: string };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
  };
}

/** Recorded responses of a live Forgejo, by method and path without the query. */
function recordedForgejo(): ReadonlyMap<string, Reply> {
  const file = fileURLToPath(new URL("../../data/exchanges/forgejo-actions.ndjson", import.meta.url));
  const all = readFileSync(file, "utf8").trim().split("\n");
  const answers = new Map<string, Reply>();
  for (const { label, request, response } of all.map((line) => JSON.parse(line) as Exchange)) {
    if (/ by (nobody|a stranger|a writer|a plain user)|as reader|by a reader/.test(label)) continue;
    const { status, headers, body } = response;
    const kept = Object.entries(headers).filter(([name]) => /^(content-type|allow)$/i.test(name));
    const key = `${request.method} ${request.path.split("?")[0]}`;
    answers.set(key, { status, headers: Object.fromEntries(kept), ...(body === "" ? {} : { body }) });
  }
  return answers;
}

const answers = recordedForgejo();
const forgejo: Handler = ({ method, url }) => {
  const found = answers.get(`${method} ${url.split("?")[0]}`);
  if (found === undefined) return unknownRoute;
  // Only the first page of the tasks was recorded.
  const isLater = Number(new URL(url, "http://127.0.0.1").searchParams.get("page") ?? 1) > 1;
  return isLater && url.includes("/actions/tasks")
    ? { ...found, body: { ...Object(found.body), workflow_runs: [] } }
    : found;
};

const server = await serve(forgejo);

const on = (line: string, world: World = {}): Promise<Ran> => {
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor", PAGER: "cat" };
  return tongs(line.split(" "), { ...world, env });
};

const noPage = (what: string, page: string, since = "") =>
  `has no API operation to ${what}\n  Use the web page instead: URL/${page}\n${since && `  Available since ${since}\n`}`;
const since16 = "Gitea 1.25 and Forgejo 16.0.";
const run16 = "mara/harbor/actions/runs/16";
const runners = "mara/harbor/settings/actions/runners";

describe("a Forgejo user", () => {
  it.each([
    ["run list", "19\t16\tfailure\tDeploy\tdeploy.yml / check\tmain\tworkflow_dispatch\t2026-11-21T10:27:41Z\n"],
    ["run list --workflow deploy.yml --status failure", "19\t16\tfailure"],
    ["run view #16", "state\tfailure\nworkflow\tdeploy.yml\n"],
    ["run view latest", "failure      check  (1s, id 19)\nsuccess      notify  (1s, id 21)\n"],
    ["run view feature/lights", "title\tLights #12\n"],
    ["run jobs 19", "deploy.yml / check\t"],
    ["run watch #15", "one\tsuccess\n#15\tsuccess\n"],
    ["runner token", "<secret>\n"],
    ["runner token --org northsea", "<secret>\n"],
    ["runner token --user", "<secret>\n"],
    ["runner token --admin", "<secret>\n"],
  ])("gets from %s what the tasks contain", async (line, words) => {
    expect(await on(line)).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining(words) });
  });

  it("is told that a URL contains the run number if a task has that number as its ID", async () => {
    const ran = await on("run view 16");
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("title\tLights #12\n") });
    expect(ran.stderr).toBe("16 is the ID of a task of run #12. To select run number 16, pass '#16'.\n");
    expect(await on(`run view ${server.url}/mara/harbor/actions/runs/16 --json run_number`)).toMatchObject({
      stdout: expect.stringContaining("16"),
      stderr: "",
    });
  });

  it.each([
    ["run view #16 --job check", noPage("view the steps of a job", run16)],
    ["run view #16 --attempt 1", noPage("view an attempt", run16)],
    ["run logs #16", noPage("read the logs of a run", run16, since16)],
    ["run watch #16 --logs", noPage("read the logs of a run", run16)],
    ["run why #16", noPage("explain a run", run16, since16)],
    ["run rerun #16 --failed", noPage("rerun a run", run16)],
    ["run cancel #16", noPage("cancel a run", run16)],
    ["run approve #16", noPage("approve a run", run16)],
    ["run delete #16 --yes", noPage("delete a run", run16, since16)],
    ["run delete --older-than 30d --yes", noPage("delete a run", "mara/harbor/actions")],
    ["workflow list", noPage("list workflows", "mara/harbor/actions", "Gitea 1.24. Forgejo 17.0 does not have it.")],
    ["workflow view deploy.yml", noPage("view a workflow", "mara/harbor/actions?workflow=deploy.yml")],
    ["workflow enable deploy.yml", noPage("enable a workflow", "mara/harbor/actions?workflow=deploy.yml")],
    ["workflow disable deploy.yml", noPage("disable a workflow", "mara/harbor/actions?workflow=deploy.yml")],
    ["runner list", noPage("list runners", runners)],
    ["runner list --admin", noPage("list runners", "admin/actions/runners")],
    ["runner view 1 --user", noPage("view a runner", "user/settings/actions/runners")],
    ["runner enable 1", "does not support PATCH"],
    ["runner disable 1 --org northsea", "Available since Gitea 1.26."],
    ["runner delete 1 --yes", noPage("delete a runner", runners)],
    ["run view #99", "This server lists a job only after a runner has picked it up"],
    ["run list --actor mara", "cannot filter runs by actor"],
    ["run list --user", "does not support GET /api/v1/user/actions/runs"],
    ["run list --workflow Deploy", "no API operation to list workflows, so 'Deploy' must be a file"],
    ["workflow run deploy.yml --ref main --collect out", "does not support GET"],
    ["artifact list", "does not support"],
    ["artifact list --run #16", "no artifacts"],
    ["artifact view 1", "does not support"],
    ["artifact download --run #16", "no artifacts"],
    ["artifact delete 1 --yes", "does not support"],
  ])("is told by %s what is not supported: exit code 5", async (line, words) => {
    const ran = await on(line);
    expect(ran.code).toBe(5);
    expect(ran.stderr.replaceAll(server.url, "URL")).toContain(words);
  });
});

describe("a server that has neither runs nor tasks", () => {
  it("is told since when servers have one of them", async () => {
    const bare = await serve(() => unknownRoute);
    const env = { TONGS_HOST: bare.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor" };
    const ran = await tongs(["run", "list"], { env });
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining("Available since Gitea 1.23 and Forgejo 8.0.")]);
  });

  it("is told that it cannot start workflows either, not that it has no runs", async () => {
    const bare = await serve(({ url }) => {
      if (/\/contents\//.test(url)) {
        const content = Buffer.from("on: workflow_dispatch\njobs: {}\n").toString("base64");
        const file = { type: "file", name: "ci.yml", path: ".gitea/workflows/ci.yml", sha: "1" };
        return { body: { ...file, content, encoding: "base64" } };
      }
      if (/harbor(\?|$)/.test(url))
        return { body: { name: "harbor", full_name: "mara/harbor", default_branch: "main" } };
      return unknownRoute;
    });
    const env = { TONGS_HOST: bare.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor" };
    const ran = await tongs(["workflow", "run", "ci.yml"], { env });
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining("Available since Gitea 1.24 and Forgejo 8.0.")]);
    expect(ran.stderr).toContain("does not support POST");
  });
});

it("--all-repos says that a server has no lists of runs, instead of listing none", async () => {
  const older = await serve(({ url }) =>
    url.includes("/repos/search")
      ? { body: { ok: true, data: [{ id: 1, name: "harbor", full_name: "mara/harbor", owner: { login: "mara" } }] } }
      : unknownRoute,
  );
  const env = { TONGS_HOST: older.url, TONGS_TOKEN: "not-a-real-token" };
  const { code, stdout, stderr } = await tongs(["run", "list", "--all-repos"], { env });
  expect([code, stdout], stderr).toEqual([5, ""]);
  expect(stderr).toContain("does not support GET /api/v1/repos/mara/harbor/actions/tasks");
});
