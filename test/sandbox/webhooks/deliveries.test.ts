import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { isSigned } from "../../../src/commands/hook/receive.ts";
import { type Seen, serve, type TestServer } from "../../support/server.ts";
import { type TestSandbox, testSandbox } from "../with-sandbox.ts";

let sandbox: TestSandbox;
let receiver: TestServer;
const secret = "not-a-secret";
const repo = "/repos/mara/harbor";
const events = "push,create,delete,pull_request,issues,release".split(",");

beforeAll(async () => {
  receiver = await serve(() => ({ status: 200, body: "ok" }));
  sandbox = await testSandbox({ delays: { jobQueued: 0, jobStep: 0 } });
  await hook({ url: receiver.url, secret, content_type: "json" });
});
beforeEach(() => {
  receiver.seen.length = 0;
});

const ask = (method: string, path: string, body?: unknown) => sandbox.ask(method, path, "harbormaster", body);

async function hook(config: Record<string, string>, more: Record<string, unknown> = {}): Promise<number> {
  const { body } = await ask("POST", `${repo}/hooks`, { type: "gitea", active: true, events, config, ...more });
  return (body as { id: number }).id;
}

type Body = Record<string, unknown>;
const kind = ({ headers }: Seen) => String(headers["x-gitea-event-type"]);
const bodyOf = ({ body }: Seen) => JSON.parse(body) as Body;
const happened = () => receiver.seen.map((one) => [kind(one), bodyOf(one)["action"]].filter(Boolean).join(" "));

/** The delivery of a kind and action, when it has arrived. */
async function delivered(type: string, action?: string): Promise<Seen> {
  const found = () => receiver.seen.find((one) => kind(one) === type && bodyOf(one)["action"] === action);
  await expect.poll(() => found() !== undefined).toBe(true);
  const one = found();
  if (one === undefined) throw new Error("it was there");
  return one;
}

interface Line {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a live server sent. */
function recorded(type: string, action?: string): { readonly line: Line; readonly body: Body } {
  const file = join(import.meta.dirname, "../../data/webhooks/gitea.ndjson");
  const lines = readFileSync(file, "utf8").trim().split("\n");
  for (const line of lines.map((text) => JSON.parse(text) as Line)) {
    if (line.headers["X-Gitea-Event-Type"] !== type || line.body.startsWith("payload")) continue;
    const body = JSON.parse(line.body) as Body;
    if (body["action"] === action) return { line, body };
  }
  throw new Error(`no recording of ${type}`);
}

/** The fields that only one of two bodies has, at any depth; of lists the first item counts. */
function differences(theirs: unknown, ours: unknown, place = ""): string[] {
  if (Array.isArray(theirs) && Array.isArray(ours)) return differences(theirs[0], ours[0], `${place}[]`);
  if (!isObject(theirs) || !isObject(ours)) return [];
  const names = new Set([...Object.keys(theirs), ...Object.keys(ours)]);
  return [...names].flatMap((name) => {
    const at = `${place}.${name}`;
    if (!Object.hasOwn(ours, name)) return [`missing ${at}`];
    return Object.hasOwn(theirs, name) ? differences(theirs[name], ours[name], at) : [`more ${at}`];
  });
}

/** How the fields of a delivery differ from those that a live server sent of the same kind. */
function unlikeRecorded(one: Seen): string[] {
  const body = bodyOf(one);
  const action = typeof body["action"] === "string" ? body["action"] : undefined;
  return differences(recorded(kind(one), action).body, body);
}

/** The names of the headers that webhooks have, and other requests have not. */
function ownHeaders(names: readonly string[]): string[] {
  return names
    .map((name) => name.toLowerCase())
    .filter((name) => name.startsWith("x-"))
    .sort();
}

function isObject(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

describe("webhooks of the sandbox", () => {
  it("deliver issues, with the fields and headers of a live server and a signature", async () => {
    const { body } = await ask("POST", `${repo}/issues`, { title: "The lamp flickers" });
    const { number } = body as { number: number };
    const opened = await delivered("issues", "opened");
    expect(unlikeRecorded(opened)).toEqual([]);
    expect(ownHeaders(Object.keys(opened.headers))).toEqual(
      ownHeaders(Object.keys(recorded("issues", "opened").line.headers)),
    );
    expect(isSigned(opened.headers, Buffer.from(opened.body), secret)).toBe(true);
    expect(isSigned(opened.headers, Buffer.from(`${opened.body} `), secret)).toBe(false);
    expect(bodyOf(opened)).toMatchObject({
      number,
      issue: { title: "The lamp flickers" },
      repository: { full_name: "mara/harbor" },
      sender: { login: "harbormaster" },
    });
    await ask("PATCH", `${repo}/issues/${number}`, { title: "The lamp is out" });
    const edited = await delivered("issues", "edited");
    expect(unlikeRecorded(edited)).toEqual([]);
    expect(bodyOf(edited)).toMatchObject({ changes: { title: { from: "The lamp flickers" } } });
    await ask("PATCH", `${repo}/issues/${number}`, { state: "closed" });
    await delivered("issues", "closed");
    expect(happened()).toEqual([...["issues opened", "issues edited", "issues closed"]]);
  });

  it("deliver pushes, branches and what follows for pull requests", async () => {
    const file = (name: string, content: string, more: Body) =>
      ask("POST", `${repo}/contents/${name}`, {
        content: Buffer.from(content).toString("base64"),
        message: name,
        ...more,
      });
    await file("lamp.txt", "on", { new_branch: "lamp" });
    const push = await delivered("push");
    expect(unlikeRecorded(push)).toEqual([]);
    expect(bodyOf(push)).toMatchObject({ ref: "refs/heads/lamp", commits: [{ message: "lamp.txt\n" }] });
    expect(unlikeRecorded(await delivered("create"))).toEqual([]);
    receiver.seen.length = 0;
    const { body } = await ask("POST", `${repo}/pulls`, { title: "Lamp", head: "lamp", base: "main" });
    const { number } = body as { number: number };
    expect(unlikeRecorded(await delivered("pull_request", "opened"))).toEqual([]);
    await file("lamp2.txt", "on", { branch: "lamp" });
    const sync = await delivered("pull_request_sync", "synchronized");
    // Servers leave it out while there are no comments on lines.
    expect(unlikeRecorded(sync)).toEqual(["missing .pull_request.review_comments"]);
    await ask("PATCH", `${repo}/pulls/${number}`, { state: "closed" });
    expect(unlikeRecorded(await delivered("pull_request", "closed"))).toEqual([
      "missing .pull_request.review_comments",
    ]);
    receiver.seen.length = 0;
    await ask("PATCH", `${repo}/branches/lamp`, { name: "lantern" });
    await delivered("create");
    await delivered("delete");
    await ask("DELETE", `${repo}/branches/lantern`);
    await expect.poll(() => happened().filter((one) => one === "delete").length).toBe(2);
    expect(unlikeRecorded(await delivered("delete"))).toEqual([]);
    expect(happened()).not.toContain("push");
  });

  it("deliver only to active hooks, the events and branches that they select, and loopback", async () => {
    const ids = [
      await hook({ url: `${receiver.url}/inactive`, content_type: "json" }, { active: false }),
      await hook({ url: `${receiver.url}/release`, content_type: "json" }, { events: ["release"] }),
      await hook(
        { url: `${receiver.url}/branch`, content_type: "json" },
        { events: ["push"], branch_filter: "release/*" },
      ),
      await hook({ url: "http://192.0.2.1/", content_type: "json" }),
      await hook({ url: "http://127.0.0.1:1/", content_type: "json" }),
      await hook({ url: `${receiver.url}/last`, content_type: "json" }, { authorization_header: "Bearer not-a-token" }),
    ];
    await ask("POST", `${repo}/issues`, { title: "Fog" });
    const fog = () => receiver.seen.filter((one) => one.body.includes("Fog"));
    await expect.poll(() => fog().length).toBe(2);
    expect(fog().map((one) => one.url)).toEqual(["/", "/last"]);
    expect(fog().at(-1)?.headers).toMatchObject({ authorization: "Bearer not-a-token", "x-gitea-signature": "" });
    for (const id of ids) await ask("DELETE", `${repo}/hooks/${id}`);
  });
});
