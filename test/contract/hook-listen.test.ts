import { setMaxListeners } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { Interruption } from "../../src/failure/interruption.ts";
import type { Ran } from "../support/tongs.ts";
import { openTarget, type Person } from "./support.ts";

// A real server must be allowed to deliver to loopback: [webhook] ALLOWED_HOST_LIST = loopback.
const target = await openTarget();
let mara: Person;
let repo: string;

beforeAll(async () => {
  mara = await target.person("mara");
  repo = `${mara.login}/buoy`;
  await target.ask("POST", "/user/repos", { name: "buoy", auto_init: true, default_branch: "main" }, mara);
});

const secret = "not-a-secret";

interface Delivered {
  readonly event: string;
  readonly type: string;
  readonly action: string | null;
  readonly repository: string | null;
  readonly verified: boolean;
  readonly delivery: string;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Listening {
  readonly url: string;
  readonly ended: Promise<Ran>;
  /** The deliveries that it keeps. */
  kept(): Promise<readonly Delivered[]>;
  stop(): Promise<Ran>;
}

const running: Listening[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop();
});

/** `tongs hook listen` on a free port. */
async function listening(...flags: string[]): Promise<Listening> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const line = ["hook", "listen", "--port", `${port}`, "--secret-env", "S", ...flags];
  const ended = mara.tongs(line, { env: { S: secret }, signal: stop.signal });
  const url = `http://127.0.0.1:${port}/`;
  await expect.poll(() => fetch(url).then(({ status }) => status)).toBe(200);
  const one: Listening = {
    url,
    ended,
    kept: async () => (await (await fetch(url)).json()) as Delivered[],
    stop() {
      stop.abort(new Interruption("SIGINT"));
      return ended;
    },
  };
  running.push(one);
  return one;
}

/** Creates a hook with the secret and returns its ID. */
async function hooked(url: string, event: string, ...flags: string[]): Promise<string> {
  const line = ["hook", "create", "-R", repo, "--url", url, "--event", event, "--secret-stdin", ...flags];
  const made = await mara.tongs(line, { stdin: secret });
  expect(made.code, made.stderr).toBe(0);
  return made.stdout.trim();
}

const lines = ({ stdout }: Ran) =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Delivered);

describe("hook listen", () => {
  it("takes the delivery of hook test with --once, checks its signature, and ends", async () => {
    const { url, ended } = await listening("--once", "--event", "push");
    const id = await hooked(url, "push");
    expect((await mara.tongs(["hook", "test", id, "-R", repo])).code).toBe(0);
    const ran = await ended;
    expect([ran.code, lines(ran).length], ran.stderr).toEqual([0, 1]);
    const [push] = lines(ran);
    expect(push).toMatchObject({ event: "push", type: "push", repository: repo, verified: true });
    expect(push?.delivery).toMatch(/^[0-9a-f-]{36}$/);
    expect(push?.body).toMatchObject({ ref: "refs/heads/main", total_commits: 1 });
    expect((await mara.tongs(["hook", "delete", id, "-R", repo, "--yes"])).code).toBe(0);
  });

  it("prints what happens in the repository: pushes, pull requests, issues, releases", async () => {
    const { url, kept, stop } = await listening();
    const id = await hooked(url, "push,create,pull_request,issues,release");
    const happened = async () => (await kept()).map(({ event, action }) => (action ? `${event} ${action}` : event));
    const soon = (event: string) => expect.poll(happened).toContain(event);
    const content = Buffer.from("bright\n").toString("base64");
    const file = { content, message: "Light", new_branch: "light" };
    await target.ask("POST", `/repos/${repo}/contents/light.txt`, file, mara);
    await soon("push");
    await soon("create");
    await target.ask("POST", `/repos/${repo}/pulls`, { title: "Light", head: "light", base: "main" }, mara);
    await soon("pull_request opened");
    const issue = await mara.tongs([
      "issue",
      "create",
      "-R",
      repo,
      "--title",
      "Fog",
      "--body",
      "x",
      "--json",
      "number",
    ]);
    const { number } = issue.json() as { number: number };
    await soon("issues opened");
    await mara.tongs(["issue", "close", `${number}`, "-R", repo]);
    await soon("issues closed");
    await target.ask(
      "POST",
      `/repos/${repo}/releases`,
      { tag_name: "v1", name: "One", target_commitish: "main" },
      mara,
    );
    await soon("release published");
    const printed = lines(await stop());
    for (const one of printed) expect(one).toMatchObject({ repository: repo, verified: true });
    expect(printed.find(({ action }) => action === "closed")?.body).toMatchObject({
      number,
      issue: { state: "closed" },
    });
    expect((await mara.tongs(["hook", "delete", id, "-R", repo, "--yes"])).code).toBe(0);
  });

  it("verifies deliveries as a form, and refuses those with another secret", async () => {
    const { url, kept, stop } = await listening();
    const form = { type: "gitea", active: true, events: ["push"] };
    const create = async (config: Record<string, string>) => {
      const body = { ...form, config: { url, content_type: "form", ...config } };
      return `${((await target.ask("POST", `/repos/${repo}/hooks`, body, mara)) as { id: number }).id}`;
    };
    const [wrong, right] = [await create({ secret: "another" }), await create({ secret })];
    await mara.tongs(["hook", "test", wrong, "-R", repo]);
    await mara.tongs(["hook", "test", right, "-R", repo]);
    await expect.poll(async () => (await kept()).length).toBe(1);
    const ran = await stop();
    expect(lines(ran)).toMatchObject([{ event: "push", verified: true, body: { ref: "refs/heads/main" } }]);
    expect(ran.stderr).toContain("the signature is wrong");
    for (const id of [wrong, right]) await mara.tongs(["hook", "delete", id, "-R", repo, "--yes"]);
  });
});
