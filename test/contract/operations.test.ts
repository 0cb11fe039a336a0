import { beforeAll, describe, expect, it } from "vitest";
import { emptyFolder, type Ran } from "../support/tongs.ts";
import { openTarget, type Person } from "./support.ts";

const target = await openTarget();
let mara: Person;
let repo: string;
let listed: readonly Operation[];
/** A home folder for all runs, whose cache keeps the description. */
const cwd = emptyFolder();

interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
}

beforeAll(async () => {
  mara = await target.person("mara");
  repo = `${mara.login}/buoy`;
  await target.ask("POST", "/user/repos", { name: "buoy", auto_init: true, default_branch: "main" }, mara);
  listed = (await run("list", "--all", "--json")).json() as Operation[];
});

const run = (...line: string[]): Promise<Ran> => mara.tongs(["operation", ...line], { cwd, env: { TONGS_REPO: repo } });

/** What the server calls an operation. */
function idOf(method: string, path: string): string {
  const found = listed.find((one) => one.method === method && one.path === `/api/v1${path}`);
  expect(found, `${method} ${path}`).toBeDefined();
  return found?.id ?? "";
}

const labels = "/repos/{owner}/{repo}/labels";
const labelCount = async () => ((await target.ask("GET", `/repos/${repo}/labels`, undefined, mara)) as []).length;

describe("the operations that a server describes", () => {
  it("are listed with an ID each, and found by words and tags", async () => {
    expect(listed.length).toBeGreaterThan(200);
    expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
    for (const { path } of listed) expect(path).toMatch(/^\/api\//);
    const found = (await run("list", "Labels", "ISSUES", "--all", "--json", "path")).json() as { path: string }[];
    expect(found.length).toBeGreaterThan(0);
    for (const { path } of found) expect(path).toContain("labels");
  });

  it("are shown with parameters, fields, responses and scopes", async () => {
    const viewed = (await run("view", idOf("POST", labels), "--json")).json();
    expect(viewed).toMatchObject({ method: "POST", path: `/api/v1${labels}`, scopes: ["write:issue"] });
    expect(viewed).toMatchObject({
      parameters: expect.arrayContaining([expect.objectContaining({ name: "owner", in: "path", required: true })]),
      body: {
        fields: expect.arrayContaining([
          expect.objectContaining({ name: "name", type: "string", required: true }),
          expect.objectContaining({ name: "exclusive", type: "boolean", required: false }),
        ]),
      },
    });
    expect(await run("view", "nothingLikeThat")).toMatchObject({ code: 5 });
  });

  it("refuse a wrong call before anything is sent", async () => {
    const [create, issues] = [idOf("POST", labels), idOf("GET", "/repos/{owner}/{repo}/issues")];
    const before = await labelCount();
    for (const [line, message] of [
      [[create, "-p", "name=tide"], "Missing color"],
      [[create, "-p", "name=tide", "-p", "colour=#0e8a16"], "Did you mean: color?"],
      [[create, "-p", "name=tide", "-p", "color=#0e8a16", "-p", "exclusive=maybe"], "must be true or false"],
      [[issues, "-p", "state=shut"], "must be one of"],
      [[issues, "-p", "page=first"], "must be an integer"],
    ] as const) {
      expect(await run("call", ...line)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    }
    expect(await labelCount()).toBe(before);
  });

  it("are called: created, read page by page, and deleted after a question", async () => {
    const [create, list] = [idOf("POST", labels), idOf("GET", labels)];
    const dry = await run("call", create, "-p", "name=dry", "-p", "color=#0e8a16", "--dry-run");
    expect([dry.code, dry.stdout], dry.stderr).toEqual([0, expect.stringContaining('"name": "dry"')]);
    expect(await labelCount()).toBe(0);
    for (let index = 0; index < 12; index += 1) {
      const made = await run("call", create, "-p", `name=tide-${index}`, "-p", "color=#0e8a16", "--json");
      expect([made.code, made.stderr]).toEqual([0, ""]);
    }
    const names = (await run("call", list, "-p", "limit=5", "--all", "--jq", ".[].name")).stdout.trim().split("\n");
    expect(names.sort()).toEqual(Array.from({ length: 12 }, (_, index) => `tide-${index}`).sort());
    const some = await run("call", list, "--limit", "5", "--jq", "length");
    expect([some.stdout, some.stderr]).toEqual(["5\n", expect.stringContaining("Showing 5 of 12")]);
    const id = (await run("call", list, "--limit", "1", "--jq", ".[0].id")).stdout.trim();
    const remove = ["call", idOf("DELETE", `${labels}/{id}`), "-p", `id=${id}`];
    expect((await run(...remove)).code).toBe(2);
    expect((await run(...remove, "--yes")).code).toBe(0);
    expect(await labelCount()).toBe(11);
    const missing = idOf("GET", `${labels}/{id}`);
    expect(await run("call", missing, "-p", `id=${id}`)).toMatchObject({ code: 5 });
  });

  it("take a body from stdin, which is checked, too", async () => {
    const create = idOf("POST", labels);
    const call = (stdin: string) =>
      mara.tongs(["operation", "call", create, "--input", "-"], { cwd, env: { TONGS_REPO: repo }, stdin });
    expect((await call('{"name":"from stdin","color":"#0e8a16"}')).code).toBe(0);
    expect(await call('{"name":"x","color":7}')).toMatchObject({ code: 2, stderr: expect.stringContaining("color") });
  });
});
