import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pull as pullRecord } from "../commands/pr/pulls.ts";
import { serve, type TestServer } from "../support/server.ts";
import { startBuilt } from "./built.ts";
import { keys, missing, onTerminal } from "./terminal.ts";

let server: TestServer | undefined;

const worldOf = (url: string) => ({
  env: { TONGS_HOST: url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor" },
});

/** A server that never responds, and a promise of the first request. */
async function silent(): Promise<{ readonly url: string; readonly asked: Promise<void> }> {
  let tell = (): void => {};
  const asked = new Promise<void>((resolve) => {
    tell = resolve;
  });
  server = await serve(() => {
    tell();
    return undefined;
  });
  return { url: server.url, asked };
}

describe("the built program", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("exits on %s during a request, with code %i", async (signal, code) => {
    const { url, asked } = await silent();
    const view = startBuilt(["pr", "view", "12"], worldOf(url));
    await asked;
    view.kill(signal);
    expect(await view.ended).toBe(code);
    expect(view.stdout()).toBe("");
    expect(view.stderr()).toMatch(/^✗ (Interrupted|Terminated)/);
  });

  it(`exits with 130 on Ctrl-C during a request${missing}`, { skip: missing !== "" }, async () => {
    const { url, asked } = await silent();
    const view = await onTerminal(["pr", "view", "12"], worldOf(url));
    await asked;
    view.type(keys.interrupt);
    expect(await view.ended).toBe(130);
  });

  it.each([
    ["issue", "close", "-"],
    ["issue", "create", "--title", "x", "--body-file", "-"],
    ["secret", "set", "X"],
    ["api", "/markdown", "--input", "-"],
    ["file", "put", "a", "-"],
    ["render", "-"],
  ])("exits on SIGINT while %s %s %s reads stdin", async (...line) => {
    server = await serve(() => ({ body: { default_branch: "main" } }));
    const reading = startBuilt(line, { ...worldOf(server.url), stdin: "pipe" });
    await reading.write("# line\n".repeat(150_000));
    reading.kill("SIGINT");
    expect(await reading.ended).toBe(130);
    expect([reading.stdout(), reading.stderr()]).toEqual(["", "✗ Interrupted\n"]);
  });

  it("exits quietly if the reader closes the pipe", async () => {
    const pulls = Array.from({ length: 50 }, (_, at) => pullRecord(at, { id: at, title: "t".repeat(4000) }));
    server = await serve(({ url }) => {
      const page = Number(new URL(url, "http://localhost").searchParams.get("page") ?? 1);
      const records = pulls.map((pull) => ({ ...pull, id: page * 100 + pull.id, number: page * 100 + pull.number }));
      return { body: records, headers: { "x-total-count": "1000" } };
    });
    for (const form of ["", "--jsonl", "--json", "--csv"]) {
      const piped = startBuilt(`tongs pr list --all ${form} | head -c 10`, worldOf(server.url));
      expect(await piped.ended, form).toBe(0);
      expect(piped.stderr(), form).toBe("");
      expect(piped.stdout(), form).toHaveLength(10);
    }
  });

  it.each([
    ["issue close $(seq 1 24)", "2>&1 >/dev/null | head -1"],
    ["issue close $(seq 1 24) --jsonl", "2>&1 >/dev/null | true"],
    ["admin unadopted adopt $(seq -f a/%g 1 24)", "| true"],
    ["admin unadopted adopt $(seq -f a/%g 1 24)", "2>&1 | head -1"],
  ])("finishes all writes of %s if the reader goes away: %s", async (line, to) => {
    server = await serve(async ({ method }) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (method === "POST") return { status: 204 };
      return { body: pullRecord(1, { pull_request: null, state: method === "GET" ? "open" : "closed" }) };
    });
    const closing = startBuilt(`tongs ${line} --yes ${to}`, worldOf(server.url));
    expect(await closing.ended).toBe(0);
    expect(server.seen.filter(({ method }) => method !== "GET")).toHaveLength(24);
  });

  it.skipIf(!existsSync("/dev/full"))("finishes all writes, and reports that the output is lost", async () => {
    server = await serve(() => ({ status: 204 }));
    const line = "tongs admin unadopted adopt $(seq -f a/%g 1 24) --yes > /dev/full";
    const adopting = startBuilt(line, worldOf(server.url));
    expect(await adopting.ended).toBe(1);
    expect(server.lines()).toHaveLength(24);
    expect(adopting.stderr()).toContain("✗ Could not write the output: no space left on device (ENOSPC)\n");
  });

  it("does not mention a lost connection if the list succeeds, unless --debug is given", async () => {
    const lost = new Set<string>();
    const listOn = (argv: readonly string[]) =>
      startBuilt(["pr", "list", "--all", ...argv], worldOf(server?.url ?? ""));
    server = await serve(({ url }, _request, response) => {
      const page = Number(new URL(url, "http://localhost").searchParams.get("page"));
      if (page > 1 && !lost.has(url)) {
        lost.add(url);
        response.destroy();
        return undefined;
      }
      const pulls = Array.from({ length: 50 }, (_, at) => pullRecord(page * 100 + at));
      return { body: pulls, headers: { "x-total-count": "300" } };
    });
    const list = listOn([]);
    expect(await list.ended).toBe(0);
    expect(lost.size).toBe(5);
    expect(list.stderr()).toBe("");
    expect(list.stdout().trim().split("\n")).toHaveLength(300);
    lost.clear();
    const debugged = listOn(["--debug"]);
    expect(await debugged.ended).toBe(0);
    expect(debugged.stderr().match(/ was lost .*; retrying in /g)).toHaveLength(5);
  });

  it("fails with 7 for a response that is nested 100,000 deep", async () => {
    const body = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    server = await serve(() => ({ headers: { "content-type": "application/json" }, body }));
    const asked = startBuilt(["api", "/x", "--jq", "."], worldOf(server.url));
    expect(await asked.ended).toBe(7);
    expect(asked.stdout()).toBe("");
    expect(asked.stderr()).not.toContain("bug in tongs");
  });

  it("has the committed help, version and completion", async () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
    const said = startBuilt(["--version"]);
    expect(await said.ended).toBe(0);
    expect(said.stdout()).toBe(`tongs ${version}\n`);
    const script = startBuilt(["completion", "bash"]);
    expect(await script.ended).toBe(0);
    const committed = join(import.meta.dirname, "../../completions/tongs.bash");
    expect(script.stdout()).toBe(readFileSync(committed, "utf8"));
    for (const topic of ["", "pr", "exit-codes", "json"]) {
      const help = startBuilt(["help", ...(topic === "" ? [] : [topic])]);
      expect(await help.ended, topic).toBe(0);
      expect(help.stdout().length, topic).toBeGreaterThan(200);
    }
  });

  it("runs in an alias that begins with !, with the profile and the repository of the outer one", async () => {
    server = await serve(({ url, headers }) => {
      if (headers["authorization"] !== "token not-a-real-token") return { status: 401 };
      if (url.startsWith("/api/v1/user")) return { body: { id: 1, login: "mara" } };
      if (url.startsWith("/api/v1/repos/mara/harbor/pulls")) return { body: [pullRecord(1), pullRecord(2)] };
      return { status: 404, body: { message: "not found" } };
    });
    const tongs = join(import.meta.dirname, "../../bin/tongs.js");
    const lines = [
      `mkdir bin && ln -s "${tongs}" bin/tongs && export PATH="$PWD/bin:$PATH" TONGS_CREDENTIAL_STORE=file`,
      `echo not-a-real-token | tongs auth login --host ${server.url} --token-stdin --profile work`,
      "tongs alias set count '!tongs pr list --all --jsonl | wc -l'",
      "tongs -R mara/harbor count",
    ];
    const counted = startBuilt(lines.join(" && "));
    expect(await counted.ended, counted.stderr()).toBe(0);
    expect(counted.stdout().trim().split("\n").at(-1)?.trim()).toBe("2");
  });

  it("runs from any directory, through a link", async () => {
    const linked = startBuilt(`ln -s "${join(import.meta.dirname, "../../bin/tongs.js")}" here && ./here --version`);
    expect(await linked.ended).toBe(0);
    expect(linked.stdout()).toMatch(/^tongs /);
  });
});
