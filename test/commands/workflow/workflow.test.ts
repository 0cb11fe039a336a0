import { describe, expect, it } from "vitest";
import type { Handler, Reply } from "../../support/server.ts";
import { zip } from "../../support/zip.ts";
import { forgejo, gitea, run, task } from "../run/forge.ts";
import { on, server } from "../run/on.ts";

const release = `
name: Release
on:
  workflow_dispatch:
    inputs:
      version: { description: Version to release, required: true, type: string }
      channel: { required: true, default: stable, type: choice, options: [stable, beta] }
      dry_run: { type: boolean, default: true }
      count: { type: number }
`;
const content = (text: string): Reply => ({
  body: { name: "x", path: "x", type: "file", encoding: "base64", content: Buffer.from(text).toString("base64") },
});
const workflow = { id: "release.yml", name: "Release", path: ".gitea/workflows/release.yml", state: "active" };

/** Gitea with one workflow; `answer` is the response to the dispatch. */
function harbor(answer: Reply, file = release, runs = [run(31)]): Handler {
  return gitea({ runs }, ({ method, url }) => {
    if (method === "POST") return answer;
    if (method === "PUT") return { status: 204 };
    if (url.includes("/contents/.gitea/workflows/release.yml")) return content(file);
    if (url.endsWith("/actions/workflows")) return { body: { workflows: [workflow], total_count: 1 } };
    if (url.endsWith("/workflows/release.yml")) return { body: workflow };
    return url === "/api/v1/user" ? { body: { login: "mara" } } : undefined;
  });
}

const details = { body: { workflow_run_id: 31, run_url: "", html_url: "" } };
const sent = () =>
  server?.seen.filter(({ method }) => method === "POST").map(({ url, body }) => ({ url, ...JSON.parse(body) }));

describe("tongs workflow run", () => {
  it("lets no warning of the YAML library out, which has raw text of the file", async () => {
    const warnings: unknown[] = [];
    const listen = (warning: unknown) => warnings.push(warning);
    process.on("warning", listen);
    const file = `${release}      tagged: !unknown\u001b]52;c;b3duZWQ=\u0007 x\n      ? {a: \u001b[45m}\n      : 1\n`;
    const ran = await on(harbor(details, file), "workflow run Release -f version=1");
    const tagged = `${release}      tagged: !unknown {}\n`;
    await on(harbor(details, tagged), "workflow run Release -f version=1");
    await new Promise(setImmediate);
    process.off("warning", listen);
    expect([ran.code, warnings]).toEqual([13, []]);
  });

  it("refuses a workflow file with a key twice, and one that is too large to be one", async () => {
    const twice = await on(harbor(details, `${release}name: Again\n`), "workflow run Release");
    expect(twice.stderr).toContain("release.yml is not valid YAML: Map keys must be unique at line 10, column 1");
    const large = await on(harbor(details, release + "# tide\n".repeat(40_000)), "workflow run Release");
    expect(large).toMatchObject({ code: 13, stderr: expect.stringContaining("release.yml is larger than 256") });
    expect(sent()).toEqual([]);
  });

  it("names the command that enables a disabled workflow: exit code 9", async () => {
    const refusal = { status: 403, body: { message: "workflow is disabled" } };
    const ran = await on(harbor(refusal), "workflow run Release -f version=1");
    expect(ran).toMatchObject({ code: 9, stderr: expect.stringContaining("tongs workflow enable release.yml") });
  });

  it("sends checked inputs as strings and prints the URL of the run that the server returns", async () => {
    const ran = await on(harbor(details), "workflow run Release -f version=1.4=x -f dry_run=false");
    expect(ran).toMatchObject({ code: 0, stdout: `${server?.url}/mara/harbor/actions/runs/31\n` });
    expect(sent()).toEqual([
      {
        url: "/api/v1/repos/mara/harbor/actions/workflows/release.yml/dispatches?return_run_details=true",
        ref: "main",
        inputs: { version: "1.4=x", dry_run: "false" },
      },
    ]);
  });

  it.each([
    [["-f", "verson=1"], "unknown input 'verson' (did you mean version?); version is required"],
    [["-f", "version=1", "-f", "channel=odd"], "channel must be one of stable, beta, not 'odd'"],
    [["-f", "version=1", "-f", "dry_run=on"], "dry_run must be true or false, not 'on'"],
    [["-f", "version=1", "-f", "count=many"], "count must be a number, not 'many'"],
  ])("rejects %j before sending anything", async (flags, words) => {
    const ran = await on(harbor(details), ["workflow", "run", "release.yml", ...flags]);
    expect(ran).toMatchObject({ code: 13, stdout: "", stderr: expect.stringContaining(words) });
    expect(sent()).toEqual([]);
  });

  it.each(["on: push\n", "on: [push]\n", "on: [push\n"])(
    "rejects a workflow file that cannot be dispatched: %j",
    async (file) => {
      expect((await on(harbor(details, file), "workflow run release.yml")).code).toBe(13);
      expect(sent()).toEqual([]);
    },
  );

  it.each([
    ["success", 11],
    ["failure", 12],
  ])("--collect of a run with %s that has an artifact it cannot download exits with %s", async (conclusion, code) => {
    const artifacts = ["docs", "report"].map((name, at) => ({
      id: 13 + at,
      name,
      size_in_bytes: 1,
      url: "",
      archive_download_url: "",
      expired: false,
      workflow_run: { id: 31, repository_id: 1, head_sha: "a".repeat(40) },
      created_at: "2026-11-21T09:53:48Z",
      updated_at: "2026-11-21T09:53:48Z",
      expires_at: "2027-02-19T09:53:48Z",
    }));
    const content = zip([{ name: "guide.md", content: "guide" }]);
    const handler: Handler = (seen, ...rest) => {
      if (/\/artifacts(\?|$)/.test(seen.url)) return { body: { artifacts, total_count: 2 } };
      if (seen.url.endsWith("/artifacts/13/zip"))
        return { headers: { "content-length": String(content.length) }, body: content };
      if (seen.url.endsWith("/artifacts/14/zip")) return { status: 404, body: { message: "gone" } };
      return harbor(details, release, [run(31, { conclusion })])(seen, ...rest);
    };
    const argv = "workflow run release.yml -f version=1 --collect dist";
    const ran = await on(handler, argv);
    expect(ran.code, ran.stderr).toBe(code);
    expect(ran.stderr).toContain("1 of 2 failed");
  });

  it("reads inputs from a file; flags take precedence", async () => {
    const argv = "workflow run release.yml --inputs-file - -f channel=beta";
    await on(harbor(details), argv, { stdin: '{"version": 2, "channel": "stable", "dry_run": true}' });
    expect(sent()?.[0]?.inputs).toEqual({ version: "2", channel: "beta", dry_run: "true" });
  });

  it("prompts for the inputs by their kind on a terminal, and refuses what is not a number", async () => {
    const answers = ["", "1.5", "beta", false, "many", "3"];
    const ran = await on(harbor(details), "workflow run release.yml", { terminal: true, answers });
    expect(ran.code).toBe(0);
    expect(sent()?.[0].inputs).toEqual({ version: "1.5", channel: "beta", dry_run: "false", count: "3" });
    expect(ran.asked).toContain("version (Version to release) (required)");
    expect(ran.asked).toHaveLength(6);
  });

  it("prompts only for a missing required input if some are given, and for none in a pipe", async () => {
    const argv = "workflow run release.yml -f channel=beta";
    const ran = await on(harbor(details), argv, { terminal: true, answers: ["2.0"] });
    expect(ran).toMatchObject({ code: 0, asked: ["version (Version to release) (required)"] });
    expect(await on(harbor(details), argv)).toMatchObject({ code: 13, asked: [] });
  });

  it("offers the workflows on a terminal if none is named, and is a usage error in a pipe", async () => {
    const answers = ["release.yml Release", "1", "stable", true, ""];
    const ran = await on(harbor(details), "workflow run", { terminal: true, answers });
    expect(ran).toMatchObject({ code: 0, asked: expect.arrayContaining(["Workflow"]) });
    expect(await on(harbor(details), "workflow run")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Missing argument WORKFLOW"),
    });
    expect(server?.seen).toEqual([]);
  });

  it("finds the only new run that matches if the server does not return it", async () => {
    const runs = [run(31, { path: "release.yml@refs/heads/main" })];
    let dispatched = false;
    const handler: Handler = (seen, ...rest) => {
      if (seen.method === "POST") dispatched = true;
      const now = dispatched
        ? [run(32, { path: "release.yml@refs/heads/main", actor: { login: "mara" } }), ...runs]
        : runs;
      return harbor({ status: 204 }, release, now)(seen, ...rest);
    };
    const ran = await on(handler, "workflow run release.yml -f version=1");
    expect(ran).toMatchObject({ code: 0, stdout: `${server?.url}/mara/harbor/actions/runs/32\n` });
  });

  it("never guesses between two runs", async () => {
    let dispatched = false;
    const one = (id: number) => run(id, { path: "release.yml@refs/heads/main" });
    const handler: Handler = (seen, ...rest) => {
      if (seen.method === "POST") dispatched = true;
      return harbor({ status: 204 }, release, dispatched ? [one(33), one(32), one(31)] : [one(31)])(seen, ...rest);
    };
    const ran = await on(handler, "workflow run release.yml -f version=1");
    expect(ran).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("could not tell which run it is: #13, #12"),
    });
  });

  it("runs one on a server with only tasks, where a true boolean is 'on'", async () => {
    let dispatched = false;
    const handler: Handler = (seen, ...rest) => {
      if (seen.method === "POST") {
        dispatched = true;
        return { status: 204 };
      }
      if (seen.url.includes("/contents/.forgejo/workflows/release.yml")) return content(release);
      const mine = task(9, 4, { event: "workflow_dispatch", workflow_id: "release.yml" });
      return forgejo(dispatched ? [mine, task(8, 3)] : [task(8, 3)])(seen, ...rest);
    };
    const argv = "workflow run release.yml -f version=1 -f dry_run=true";
    const ran = await on(handler, argv);
    expect(ran).toMatchObject({ code: 0, stdout: `${server?.url}/mara/harbor/actions/runs/4\n` });
    expect(sent()?.[0]?.inputs).toEqual({ version: "1", dry_run: "on" });
  });

  it("exits with 8 if its run is not listed yet, instead of naming another", async () => {
    const handler: Handler = (seen, ...rest) => {
      if (seen.method === "POST") return { status: 204 };
      if (seen.url.includes("/contents/.forgejo/")) return content(release);
      return forgejo([task(8, 3, { event: "workflow_dispatch", workflow_id: "release.yml" })])(seen, ...rest);
    };
    const ran = await on(handler, "workflow run release.yml -f version=1");
    expect(ran).toMatchObject({ code: 8, stdout: "", stderr: expect.stringContaining("is not listed yet") });
  });
});

describe("workflows", () => {
  it("are found by name for enable and disable", async () => {
    expect((await on(harbor(details), "workflow disable Release")).code).toBe(0);
    expect(server?.lines().at(-1)).toBe("PUT /api/v1/repos/mara/harbor/actions/workflows/release.yml/disable");
    expect(await on(harbor(details), "workflow view Relaese")).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("Did you mean: Release"),
    });
  });
});
