import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { asAsked } from "../../support/as-asked.ts";
import { serve } from "../../support/server.ts";
import { emptyFolder, tongs } from "../../support/tongs.ts";
import { onSandbox } from "../on-sandbox.ts";

const sandbox = await onSandbox();
await sandbox.ask("POST", "/orgs", "mara", { username: "tidewater" });
await sandbox.ask("POST", "/user/repos", "mara", { name: "buoy", auto_init: true });

const url = "https://ci.example.org/hook";
const run = (line: readonly string[], as = "mara") => sandbox.run(["hook", ...line], { as });
interface Hook {
  readonly id: number;
  readonly events: readonly string[];
}
const sorted = (hook: unknown) => [...(hook as Hook).events].sort();

describe("hook", () => {
  it.each([
    [["-R", "mara/buoy"], "mara", "Hook 99 not found in mara/buoy"],
    [["--org", "tidewater"], "mara", "Hook 99 not found in organization tidewater on "],
    [["--org", "nobody"], "mara", "Hook 99 not found in organization nobody on "],
    [["--user"], "mara", "Hook 99 not found in your account on "],
    [["--admin"], "harbormaster", "Hook 99 not found among the server-wide hooks on "],
  ])("names the owner of a missing hook with %j", async (flags, as, words) => {
    const edited = await run(["edit", "99", ...flags, "--no-active"], as);
    expect([edited.code, edited.stderr]).toEqual([5, expect.stringContaining(words)]);
  });

  it("keeps exactly the events of an edited hook, even if one name stands for several", async () => {
    for (const events of ["issues_only,pull_request_review", "issues,pull_request_only", "pull_request,push"]) {
      const made = (await run(["create", "--user", "--url", url, "--event", events, "--json"])).json() as Hook;
      const edited = await run(["edit", String(made.id), "--user", "--name", "bell", "--json"]);
      expect(sorted(edited.json())).toEqual(sorted(made));
    }
  });

  it("sends events back to Forgejo in the names that it accepts", async () => {
    const review = ["pull_request_review_approved", "pull_request_review_rejected", "pull_request_review_comment"];
    const before = {
      id: 3,
      type: "forgejo",
      config: { url, content_type: "json" },
      events: ["push", "pull_request", "issues", "issue_label", ...review],
      authorization_header: "Bearer lamp",
      branch_filter: "v*",
      active: true,
    };
    const server = await serve(asAsked(before, ["events"]));
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" };
    expect((await tongs(["hook", "edit", "3", "-R", "mara/buoy", "--no-active"], { env })).code).toBe(0);
    expect(server.lines()).toEqual(["GET /api/v1/repos/mara/buoy/hooks/3", "PATCH /api/v1/repos/mara/buoy/hooks/3"]);
    expect(JSON.parse(server.seen[1]?.body ?? "")).toEqual({
      events: ["push", "pull_request_only", "issues_only", "issue_label", "pull_request_review"],
      branch_filter: "v*",
      authorization_header: "Bearer lamp",
      active: false,
    });
  });

  it("does not add reviews to a hook of Forgejo for comments on pull requests", async () => {
    const events = ["push", "pull_request_comment", "pull_request_review_comment"];
    const before = { id: 3, type: "forgejo", config: { url, content_type: "json" }, events, active: true };
    const server = await serve(asAsked(before, ["events"]));
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" };
    expect((await tongs(["hook", "edit", "3", "-R", "mara/buoy", "--no-active"], { env })).code).toBe(0);
    expect(JSON.parse(server.seen[1]?.body ?? "")).toMatchObject({ events: ["push", "pull_request_comment"] });
  });

  it("fails if the server drops an event, which it does not say", async () => {
    const stored = {
      id: 3,
      type: "gitea",
      config: { url, content_type: "json" },
      events: ["push", "pull_request_label", "issues"],
      active: true,
    };
    const server = await serve(() => ({ body: stored }));
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" };
    const events = ["--event", "push,status,workflow_run,pull_request,issues"];
    const line = ["-R", "mara/buoy", "--url", url];
    for (const verb of [["create"], ["edit", "3"]]) {
      const ran = await tongs(["hook", ...verb, ...line, ...events], { env });
      expect(ran.code).toBe(1);
      expect(ran.stderr).toContain("did not apply events to webhook 3");
      expect(ran.stderr).toContain("does not support status, workflow_run.");
    }
    const kept = await tongs(["hook", "create", ...line, "--event", "push,pull_request"], { env });
    expect([kept.code, kept.stdout]).toEqual([0, "3\n"]);
  });

  it("reads secrets only from files and stdin, and never prints them", async () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, "header"), "Bearer not-a-secret-lamp\n");
    const server = await serve(({ body }) => ({
      status: 201,
      body: { id: 1, ...(JSON.parse(body) as object), config: {} },
    }));
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" };
    const line = ["hook", "create", "--user", "--url", url, "--authorization-header-file", join(folder, "header")];
    const ran = await tongs([...line, "--secret-stdin", "--config", "channel=#quay"], {
      env,
      stdin: "not-a-secret-brass\n",
    });
    const dry = await tongs([...line, "--secret-stdin", "--dry-run"], { env, stdin: "not-a-secret-brass\n" });
    expect(JSON.parse(server.seen[0]?.body ?? "")).toMatchObject({
      config: { url, content_type: "json", secret: "not-a-secret-brass", channel: "#quay" },
      authorization_header: "Bearer not-a-secret-lamp",
      active: true,
    });
    expect(server.seen).toHaveLength(1);
    expect(`${ran.stdout}${ran.stderr}${dry.stdout}${dry.stderr}`).not.toMatch(/brass|lamp/);
  });

  it.each([
    "https://hooks.slack.com/services/T0/B0/not-a-secret-anchor",
    "https://discord.com/api/webhooks/1/not-a-secret-anchor",
    "https://api.telegram.org/bot1:not-a-secret-anchor/sendMessage?chat_id=1",
    "https://quay.webhook.office.com/webhookb2/not-a-secret-anchor",
    "https://open.feishu.cn/open-apis/bot/v2/hook/not-a-secret-anchor",
    "https://oapi.dingtalk.com/robot/send?access_token=not-a-secret-anchor",
    "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=not-a-secret-anchor",
    "https://mara:not-a-secret-anchor@chat.example.org:8443/hooks/not-a-secret-anchor",
  ])("shows only the host of %s with --debug and --dry-run", async (address) => {
    const server = await serve(({ body }) => ({
      status: 201,
      body: { id: 1, type: "slack", created_at: "2026-01-01T00:00:00Z", ...(JSON.parse(body || "{}") as object) },
    }));
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" };
    const create = ["hook", "create", "--user", "--type", "slack", "--url", address, "--config", "channel=#quay"];
    const edit = ["hook", "edit", "1", "--user", "--url", address];
    const raw = ["api", "/user/hooks", "--method", "POST", "-f", "type=gitea", "-f", `config[url]=${address}`];
    const text = ["api", "/repos/mara/harbor/issues", "--method", "POST", "-f", `body=See ${address}`];
    const isChat = !address.includes("chat.example.org");
    for (const line of [create, edit, raw, ...(isChat ? [text] : [])]) {
      for (const flags of [["--dry-run"], ["--dry-run", "--json"], ["--debug"]]) {
        const { code, stdout, stderr } = await tongs([...line, ...flags], { env });
        expect(code, stderr).toBe(0);
        const shown = flags.includes("--debug") ? stderr : `${stdout}${stderr}`;
        expect(shown, `${line.join(" ")} ${flags.join(" ")}`).not.toContain("anchor");
        expect(shown).toContain(`https://${new URL(address).host}/***`);
      }
    }
  });

  it.each([
    [
      "gitea",
      "https://ci.example.org/hook?token=not-a-secret-anchor&not-a-secret-anchor",
      "https://ci.example.org/hook?token=***&***",
    ],
    ["gitea", "https://mara:not-a-secret-anchor@ci.example.org/hook", "https://***@ci.example.org/hook"],
    ["gitea", "https://hooks.slack.com/services/not-a-secret-anchor", "https://hooks.slack.com/***"],
    ["slack", "https://chat.example.org/hooks/not-a-secret-anchor", "https://chat.example.org/***"],
    ["forgejo", "https://ci.example.org/hook", "https://ci.example.org/hook"],
  ])(
    "prints no secret in the address of a webhook for %s, and no Authorization header",
    async (type, address, shown) => {
      const config = { url: address, content_type: "json" };
      const record = {
        id: 3,
        type,
        config,
        url: address,
        events: ["push"],
        active: true,
        authorization_header: "Bearer anchor",
      };
      const more = { created_at: "2026-01-01T00:00:00Z", metadata: { bot_token: "not-a-secret-anchor" } };
      const server = await serve(({ method, url: path }) => {
        const isList = method === "GET" && !/\/3$/.test(path.replace(/\?.*/, ""));
        return {
          status: method === "POST" ? 201 : 200,
          body: isList ? [{ ...record, ...more }] : { ...record, ...more },
        };
      });
      const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" };
      for (const line of [
        "list --user",
        "list --user --json",
        "list --user --csv",
        "create --user --json",
        "edit 3 --user --json",
      ]) {
        const [verb = "", ...rest] = line.split(" ");
        const flags =
          verb === "list" ? rest : [...rest, ...(verb === "create" ? ["--type", type] : []), "--url", address];
        const ran = await tongs(["hook", verb, ...flags], { env });
        expect(ran.code, ran.stderr).toBe(0);
        expect(`${ran.stdout}${ran.stderr}`).not.toContain("anchor");
        expect(ran.stdout).toContain(shown);
        if (rest.includes("--json")) expect(ran.stdout).toContain('"authorization_header":"***"');
      }
    },
  );

  it("refuses an empty secret, and takes the first line of stdin", async () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, "empty"), "");
    const server = await serve(({ body }) => ({ status: 201, body: { id: 1, ...(JSON.parse(body) as object) } }));
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" };
    const create = (line: readonly string[], stdin = "") =>
      tongs(["hook", "create", "--user", "--url", url, ...line], { env, stdin, cwd: folder });
    for (const [line, words] of [
      [["--secret-file", "empty"], "--secret-file: the first line of empty is empty"],
      [["--authorization-header-file", "empty"], "--authorization-header-file: the first line of empty is empty"],
      [["--secret-stdin"], "--secret-stdin: the first line of stdin is empty"],
    ] as const) {
      const ran = await create(line);
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(words)]);
    }
    expect(server.lines()).toEqual([]);
    await create(["--secret-stdin"], "not-a-secret-brass\r\nnext\n");
    expect(JSON.parse(server.seen[0]?.body ?? "")).toMatchObject({ config: { secret: "not-a-secret-brass" } });
  });

  it.each([
    [["--url", url, "--event", "pul_request"], "Unknown event 'pul_request'"],
    [["--url", "nowhere"], "--url must be a URL"],
    [["--event", "push"], "--url is required"],
    [["--url", url, "--system"], "--system requires --admin"],
    [["--url", url, "--content-type", "xml"], "--content-type must be"],
    [["--url", url, "--config", "loose"], "--config must be KEY=VALUE"],
  ])("rejects %j before sending anything", async (flags, words) => {
    sandbox.writes();
    const ran = await run(["create", "--user", ...flags]);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
    expect(sandbox.writes()).toEqual([]);
  });

  it("requests a test delivery, only for a repository's hook", async () => {
    const id = (await run(["create", "-R", "mara/buoy", "--url", url])).stdout.trim();
    sandbox.writes();
    expect((await run(["test", id, "-R", "mara/buoy", "--ref", "main"])).code).toBe(0);
    expect(sandbox.writes()).toEqual([`POST /repos/mara/buoy/hooks/${id}/tests`]);
    expect((await run(["test", "999", "-R", "mara/buoy"])).code).toBe(5);
  });

  it("lists the server's default hooks separately from its system hooks", async () => {
    const as = "harbormaster";
    await run(["create", "--admin", "--url", url], as);
    await run(["create", "--admin", "--system", "--url", `${url}/system`], as);
    const count = async (...flags: string[]) =>
      ((await run(["list", "--admin", ...flags, "--json"], as)).json() as unknown[]).length;
    expect([await count(), await count("--type", "default"), await count("--type", "system")]).toEqual([2, 1, 1]);
  });
});

it.each([
  ["refs/heads/side", "side"],
  ["refs/tags/v1", "v1"],
  ["feature/heads", "feature%2Fheads"],
])("hook test --ref %s is sent as servers find its commit: %s", async (ref, sent) => {
  const server = await serve(() => ({ status: 204 }));
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor" };
  const ran = await tongs(["hook", "test", "3", "--ref", ref], { env });
  expect(ran.code, ran.stderr).toBe(0);
  expect(server.lines()).toContain(`POST /api/v1/repos/mara/harbor/hooks/3/tests?ref=${sent}`);
});
