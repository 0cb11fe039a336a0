import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Seen, serve, type TestServer } from "../../support/server.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { type OnSandbox, onSandbox } from "../on-sandbox.ts";

const repos = ["fleet/one", "fleet/two", "fleet/three"];

describe("policy apply", () => {
  let box: OnSandbox;
  let front: TestServer;
  /** The repositories whose writes are under way. */
  const running: string[] = [];
  let most = 0;
  let together = false;
  const waiting: (() => void)[] = [];

  /** Sends a request to the sandbox. */
  const forward = async ({ method, url, headers, body }: Pick<Seen, "method" | "url" | "headers" | "body">) => {
    const response = await fetch(`${box.url}${url}`, {
      method,
      headers: { authorization: String(headers["authorization"]), "content-type": "application/json" },
      ...(body === "" ? {} : { body }),
    });
    const type = response.headers.get("content-type") ?? "text/plain";
    return { status: response.status, headers: { "content-type": type }, body: await response.text() };
  };

  beforeAll(async () => {
    box = await onSandbox();
    await box.ask("POST", "/orgs", "harbormaster", { username: "fleet" });
    for (const repo of repos) {
      await box.ask("POST", "/orgs/fleet/repos", "harbormaster", { name: repo.slice("fleet/".length) });
    }
    // Each repository's first write is answered when there is one of every repository.
    front = await serve(async ({ method, url, headers, body }) => {
      const repo = /\/repos\/(fleet\/\w+)\//.exec(url)?.[1] ?? "";
      const isWrite = method !== "GET";
      if (isWrite) {
        running.push(repo);
        most = Math.max(most, running.filter((one) => one === repo).length);
        if (new Set(running).size === repos.length) {
          together = true;
          for (const go of waiting.splice(0)) go();
        }
        if (!together) await new Promise<void>((resolve) => waiting.push(resolve));
      }
      const answer = await forward({ method, url, headers, body });
      if (isWrite) running.splice(running.indexOf(repo), 1);
      return answer;
    });
  });
  afterAll(async () => {
    await front.close();
  });

  it("works on several repositories at a time, and in each on one thing after the other", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "policy.yml"), "defaults: {labels: {a: ff0000, b: 00ff00, c: 0000ff}, topics: [x, y]}\n");
    const line = ["policy", "apply", "policy.yml", "--repo", repos.join(","), "--yes"];
    const ran = await box.run(line, { cwd, env: { TONGS_HOST: front.url } });
    expect(ran.code, ran.stderr).toBe(0);
    expect({ together, most }).toEqual({ together: true, most: 1 });
    for (const repo of repos) {
      expect((await box.ask("GET", `/repos/${repo}/labels`, "harbormaster")).body).toHaveLength(3);
    }
  });

  it.each([
    ["labels", "labels: {late: ff0000}", { name: "late", color: "ff0000" }],
    ["milestones", "milestones: {late: {}}", { title: "late" }],
    [
      "hooks",
      "hooks: {'https://late.example.org': {}}",
      { type: "gitea", config: { url: "https://late.example.org" } },
    ],
  ])("looks again before it creates: %s that exist by now", async (list, policy, made) => {
    const at = `/repos/fleet/one/${list}`;
    let reads = 0;
    const server = await serve(async (seen) => {
      // Somebody else creates it after the plan was made.
      if (seen.method === "GET" && seen.url.includes(at) && ++reads === 2)
        await box.ask("POST", at, "harbormaster", {
          ...made,
          ...("config" in made && { config: { ...made.config, content_type: "json" } }),
        });
      return forward(seen);
    });
    const before = ((await box.ask("GET", at, "harbormaster")).body as unknown[]).length;
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "policy.yml"), `defaults: {${policy}}\n`);
    const line = ["policy", "apply", "policy.yml", "--repo", "fleet/one", "--yes"];
    const ran = await box.run(line, { cwd, env: { TONGS_HOST: server.url } });
    await server.close();
    expect([ran.code, ran.stderr]).toEqual([9, expect.stringContaining("exists by now")]);
    expect((await box.ask("GET", at, "harbormaster")).body).toHaveLength(before + 1);
  });
});
