import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve, type TestServer } from "../../support/server.ts";
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
      const { authorization } = headers;
      const response = await fetch(`${box.url}${url}`, {
        method,
        headers: { authorization: String(authorization), "content-type": "application/json" },
        ...(body === "" ? {} : { body }),
      });
      const text = await response.text();
      if (isWrite) running.splice(running.indexOf(repo), 1);
      const type = response.headers.get("content-type") ?? "text/plain";
      return { status: response.status, headers: { "content-type": type }, body: text };
    });
  });
  afterAll(async () => {
    await front.close();
    await box.close();
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
});
