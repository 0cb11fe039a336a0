import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { allCommands } from "../../../src/command/write-help.ts";
import { table } from "../../../src/commands/index.ts";
import { completed } from "../../docs/shells.ts";
import { testSandbox } from "../../sandbox/with-sandbox.ts";
import { serve } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";

type Env = Readonly<Record<string, string>>;

const here = (url: string, token: string, cache = mkdtempSync(join(tmpdir(), "tongs-cache-"))): Env => ({
  TONGS_HOST: url,
  TONGS_TOKEN: token,
  TONGS_REPO: "mara/harbor",
  XDG_CACHE_HOME: cache,
  TONGS_CONFIG_DIR: join(cache, "config"),
});

describe("completion with live values", () => {
  const lines: string[] = [];
  let sandbox: Awaited<ReturnType<typeof testSandbox>>;
  let env: Env;
  beforeAll(async () => {
    sandbox = await testSandbox({ log: (line) => lines.push(line) });
    env = here(sandbox.url, sandbox.token("harbormaster"));
  });

  it("offers what the sandbox has, with titles, and sends only reads", async () => {
    const values = async (...words: string[]) => (await completed([...words, ""], env)).split("\n").slice(0, -2);
    const run = (line: readonly string[]) => tongs(line, { env });
    const pulls = (await run(["pr", "list", "--json"])).json() as { readonly number: number; readonly title: string }[];
    expect(await values("pr", "checkout")).toEqual(pulls.map(({ number, title }) => `${number}\t${title}`));
    const names = async (line: readonly string[], field: string) =>
      ((await run([...line, "--json", "--all"])).json() as Record<string, unknown>[]).map((item) =>
        String(item[field]),
      );
    const words = async (...line: string[]) => (await values(...line)).map((offer) => offer.split("\t")[0]);
    expect(await words("label", "delete")).toEqual(await names(["label", "list"], "name"));
    expect(await words("pr", "edit", "--add-label")).toEqual(await names(["label", "list"], "name"));
    expect(await words("pr", "create", "--base")).toContain("main");
    expect(await words("run", "view")).toEqual(await names(["run", "list"], "id"));
    expect(await words("artifact", "view")).toEqual(await names(["artifact", "list"], "id"));
    expect(await words("workflow", "view")).toEqual(await names(["workflow", "list"], "id"));
    expect(await words("user", "view")).toEqual(await names(["user", "list"], "login"));
    expect(await words("pr", "edit", "--add-assignee")).toContain("mara");
    expect(lines.filter((line) => !/ GET /.test(line))).toEqual([]);
  });

  it("completes the last of several labels after a comma", async () => {
    const [first = ""] = (await completed(["label", "delete", ""], env)).split("\n");
    const name = first.split("\t")[0] ?? "";
    expect(await completed(["pr", "list", "--label", `none,${name.slice(0, 2)}`], env)).toContain(`none,${name}`);
  });

  it("prints nothing but the protocol when there is no repository, no profile or no answer", async () => {
    const nothing = ":4\n";
    expect(await completed(["pr", "view", ""], { XDG_CACHE_HOME: "/proc/x", TONGS_CONFIG_DIR: "/proc/y" })).toBe(
      nothing,
    );
    expect(await completed(["pr", "view", ""], here("http://127.0.0.1:1", "0"))).toBe(nothing);
    expect(await completed(["pr", "nonsense", ""], env)).toBe(nothing);
    expect(await completed(["pr", "view", "12", "13", ""], env)).toBe(nothing);
    const ran = await tongs(["__complete", "pr", "view", ""], { env: { TONGS_HOST: "ftp://x", TONGS_REPO: "a/b" } });
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([0, nothing, ""]);
  });

  it("is not shown as a command", async () => {
    expect((await tongs(["--help"])).stdout).not.toContain("__complete");
    expect((await tongs(["schema"])).stdout).not.toContain("__complete");
  });
});

describe("the level of --org, --user and --admin", () => {
  const named = (at: string) => ({ name: `${at}_NAME`, data: "not-a-secret", description: `at ${at}` });
  /** A server with one thing at each level. */
  const levels = () =>
    serve(({ url }) => {
      const [, at = ""] = /^\/api\/v1\/(\w+)/.exec(url) ?? [];
      if (/\/actions\/(variables|secrets)\?/.test(url)) return { body: [named(at)] };
      if (url.includes("/actions/runners?")) {
        return { body: { total_count: 1, runners: [{ id: 7, name: at, status: "online", busy: false, labels: [] }] } };
      }
      if (url.startsWith("/api/v1/user/orgs?")) return { body: [{ id: 1, name: "tidewater", avatar_url: "" }] };
      return { status: 404, body: { message: "not found" } };
    });

  it("offers the labels of runners once", async () => {
    const runners = [["docker", "arm"], ["docker"]].map((labels, id) => ({ id, name: "r", status: "idle", labels }));
    const server = await serve(() => ({ body: { runners } }));
    const line = ["runner", "jobs", "--admin", "--label", ""];
    expect(await completed(line, here(server.url, "0"))).toBe("docker\narm\n:4\n");
  });

  it("selects whose variables, secrets and runners are offered, without their values", async () => {
    const server = await levels();
    const env = here(server.url, "0");
    for (const noun of ["variable", "secret"]) {
      expect(await completed([noun, "delete", ""], env), noun).toBe("repos_NAME\tat repos\n:4\n");
      expect(await completed([noun, "delete", "--user", ""], env), noun).toBe("user_NAME\tat user\n:4\n");
      // No server has them for the whole server: nothing is asked.
      expect(await completed([noun, "delete", "--admin", "A", ""], env), noun).toBe(":4\n");
      expect(await completed([noun, "set", "--org", "tidewater", ""], env), noun).toBe("orgs_NAME\tat orgs\n:4\n");
    }
    expect(await completed(["variable", "get", "re"], env)).toBe("repos_NAME\tat repos\n:4\n");
    expect(await completed(["runner", "view", "--admin", ""], env)).toBe("7\tadmin, online\n:4\n");
    expect(await completed(["runner", "view", ""], env)).toBe("7\trepos, online\n:4\n");
    const folder = join(env["XDG_CACHE_HOME"] ?? "", "tongs", "complete");
    for (const name of readdirSync(folder))
      expect(readFileSync(join(folder, name), "utf8")).not.toContain("not-a-secret");
    // A value is read by a request of its own, as on Forgejo, which completion does not send.
    expect(server.lines().filter((line) => /_NAME|admin\/actions\/[vs]/.test(line))).toEqual([]);
  });

  it("needs no repository, and --org offers the organizations of the user", async () => {
    const server = await levels();
    const { TONGS_REPO: _repo, ...env } = here(server.url, "0");
    expect(await completed(["secret", "delete", "--user", ""], env)).toBe("user_NAME\tat user\n:4\n");
    expect(await completed(["secret", "delete", "--org", ""], env)).toBe("tidewater\n:4\n");
    expect(await completed(["label", "list", "--org=ti"], env)).toBe("--org=tidewater\n:4\n");
  });
});

describe("a slow server", () => {
  it("gets the time that is left, and then the request is ended", async () => {
    let closed = 0;
    const server = await serve((_seen, _request, response) => {
      response.on("close", () => {
        closed += 1;
      });
      return undefined;
    });
    const printed = await completed(["label", "delete", ""], here(server.url, "0"), 50);
    expect(printed).toBe(":4\n");
    await expect.poll(() => closed).toBe(server.seen.length);
  });
});

describe("the cache of completion", () => {
  const labels = [{ id: 1, name: "bug", color: "ff0000", description: "Something is broken" }];

  it("answers for 20 seconds for the same repository, from a file of mode 0600", async () => {
    const server = await serve(() => ({ body: labels }));
    const env = here(server.url, "0");
    const once = await completed(["label", "delete", ""], env);
    expect(once).toBe("bug\tSomething is broken\n:4\n");
    const asked = server.seen.length;
    expect(await completed(["label", "delete", ""], env)).toBe(once);
    expect(server.seen.length).toBe(asked);
    await completed(["-R", "mara/other", "label", "delete", ""], env);
    await completed(["label", "delete", "-R", "mara/other", ""], env);
    expect(server.seen.length).toBe(2 * asked);
    const folder = join(env["XDG_CACHE_HOME"] ?? "", "tongs", "complete");
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder)) {
      expect(name).toMatch(/^[0-9a-f]{64}$/);
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    }
  });

  it("is not used when it is damaged, and is no error when it cannot be written", async () => {
    const server = await serve(() => ({ body: labels }));
    const env = here(server.url, "0");
    const once = await completed(["label", "delete", ""], env);
    const folder = join(env["XDG_CACHE_HOME"] ?? "", "tongs", "complete");
    for (const damage of ["", "[{", '[{"word":7}]', '"x"']) {
      for (const name of readdirSync(folder)) writeFileSync(join(folder, name), damage);
      expect(await completed(["label", "delete", ""], env)).toBe(once);
    }
    expect(await completed(["label", "delete", ""], { ...env, XDG_CACHE_HOME: "/proc/none" })).toBe(once);
    expect(readFileSync(join(folder, readdirSync(folder)[0] ?? ""), "utf8")).toContain("bug");
  });

  it("has no names that cannot be typed, or would be read as flags", async () => {
    const names = ["plain", "two\nlines", "bell\u0007", "right\u202eleft", "", "--host=example.org"];
    const server = await serve(() => ({ body: names.map((name, id) => ({ id, name, color: "ff0000" })) }));
    expect(await completed(["label", "delete", ""], here(server.url, "0"))).toBe("plain\n:4\n");
  });
});

describe("every argument and flag that names a thing of the server", async () => {
  const commands = await allCommands(table);
  const expected: Readonly<Record<string, string>> = {
    pr: "pull",
    issue: "issue",
    label: "label",
    milestone: "milestone",
    branch: "branch",
    run: "run",
    workflow: "workflow",
    protection: "tag-protection",
    addLabel: "label",
    removeLabel: "label",
    assignee: "user",
    addAssignee: "user",
    removeAssignee: "user",
    reviewer: "user",
  };

  it("has a source for its completion", () => {
    const missing = commands.flatMap(({ words, command }) =>
      [...Object.entries(command.args), ...Object.entries(command.flags)]
        .filter(
          ([key, { source }]) =>
            Object.hasOwn(expected, key) &&
            ![expected[key], `closed ${expected[key]}`, `${words[0]} ${expected[key]}`].includes(source),
        )
        .filter(([, value]) => !("form" in value) || value.form === "value" || value.form === "values")
        .map(([key]) => `${words.join(" ")}: ${key}`),
    );
    expect(missing).toEqual([]);
  });
});
