import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { type Handler, serve, type TestServer } from "../../support/server.ts";
import { emptyFolder, type Ran, tongs, type World } from "../../support/tongs.ts";
import { onSandbox } from "../on-sandbox.ts";
import { oddDescription, oddDescription3 } from "./odd-description.ts";

let server: TestServer;
let home: string;
let description: unknown;
let answer: Handler;

beforeEach(async () => {
  home = emptyFolder();
  description = oddDescription;
  answer = () => ({ body: { ok: true } });
  server = await serve((seen, request, response) =>
    seen.url === "/swagger.v1.json"
      ? description === undefined
        ? { status: 404, body: "Not found.\n", headers: { "content-type": "text/html" } }
        : { body: description }
      : answer(seen, request, response),
  );
});

function run(line: string, world: World = {}): Promise<Ran> {
  const env = { HOME: home, TONGS_HOST: server.url, TONGS_TOKEN: "0000", ...world.env };
  return tongs(["operation", ...line.split(" ")], { cwd: home, ...world, env });
}

/** The requests besides that for the description. */
const sent = () => server.lines().filter((line) => !line.includes("swagger"));
const cache = () => join(home, ".cache", "tongs", "operations");

describe("operation list", () => {
  it("finds operations whose ID, path and summary contain every word", async () => {
    expect((await run("list THING create --jq .[].id")).stdout).toBe("createThing\n");
    expect((await run("list --tag Thing --jq .[].id")).stdout).toBe("listThings\ncreateThing\n");
    expect((await run("list nothing --json")).json()).toEqual([]);
  });

  it("names operations without an ID or with the ID of another, and skips what is not an operation", async () => {
    const ids = (await run("list --all --jq .[].id")).stdout.trim().split("\n");
    expect(ids).toContain("get-api-v1-no-id-n");
    expect(ids).toContain("same-2");
    expect(ids).not.toContain("lost");
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("shows what a server writes as text on a terminal", async () => {
    const { stdout } = await run("list pwned", { terminal: true });
    expect(stdout).toContain("␛]0;owned");
    expect(stdout).not.toContain("\u001b]");
  });
});

describe("the cache", () => {
  it("is read for a day, in a folder that only the user can use", async () => {
    await run("list");
    await run("list");
    expect(server.lines()).toEqual(["GET /swagger.v1.json"]);
    expect(statSync(cache()).mode & 0o777).toBe(0o700);
    for (const file of readdirSync(cache())) expect(statSync(join(cache(), file)).mode & 0o777).toBe(0o600);
    await run("list", { now: new Date(Date.now() + 25 * 3_600_000) });
    expect(server.lines()).toHaveLength(2);
  });

  it("is kept for each server", async () => {
    const other = await serve(() => ({ body: oddDescription3 }));
    await run("list");
    expect((await run("list --jq .[].id", { env: { TONGS_HOST: other.url } })).stdout).toContain("putFile");
  });

  it("is not used if it is cut off, too old, or in a folder that others can write to", async () => {
    await run("list");
    const file = join(cache(), readdirSync(cache())[0] ?? "");
    writeFileSync(file, readFileSync(file, "utf8").slice(0, 100));
    expect((await run("list --json")).code).toBe(0);
    utimesSync(file, 0, 0);
    await run("list");
    expect(server.lines()).toHaveLength(3);
    chmodSync(cache(), 0o777);
    await run("list");
    expect(server.lines()).toHaveLength(4);
  });

  it("is done without if it cannot be written", async () => {
    mkdirSync(join(home, ".cache"));
    writeFileSync(join(home, ".cache", "tongs"), "");
    expect((await run("list")).code).toBe(0);
  });

  it("has words for completion, without those that a shell would run", async () => {
    await run("list");
    const folder = join(home, ".cache", "tongs", "operation-words");
    const words = readFileSync(join(folder, readdirSync(folder)[0] ?? ""), "utf8");
    expect(words).toContain("createThing owner= title= kind= count= tags= config= parent= loop= other= due=\n");
    expect(words).not.toMatch(/[$(`;\\]/);
  });
});

describe("a server without a description", () => {
  it.each([
    ["404", { status: 404, body: "Not found." }],
    ["403", { status: 403, body: { message: "no" } }],
    ["a page to sign in", { status: 200, body: "<html>", headers: { "content-type": "text/html" } }],
    ["JSON that is not a description", { status: 200, body: { hello: 1 } }],
  ])("is exit 5 with the code no_description: %s", async (_name, reply) => {
    await server.close();
    server = await serve(() => reply);
    const { code, stderr } = await run("list --json");
    expect(code).toBe(5);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "no_description" } });
    expect(stderr).toContain("tongs api");
  });

  it("is not confused with a server that does not answer or fails", async () => {
    await server.close();
    server = await serve(() => ({ status: 500, body: { message: "broken" } }));
    expect((await run("list")).code).toBe(7);
  });
});

describe("operation view", () => {
  it("shows parameters, body fields, responses and scopes", async () => {
    const view = (await run("view createThing --json")).json() as Record<string, unknown>;
    expect(view).toMatchObject({
      method: "POST",
      path: "/api/v1/things/{owner}",
      scopes: ["write:thing", "read:thing"],
      parameters: [{ name: "owner", in: "path", required: true }],
      body: { content_type: "application/json" },
      answers: [{ status: "201", fields: ["id", "parent"] }],
    });
    expect(view["body"]).toMatchObject({
      fields: expect.arrayContaining([
        { name: "title", type: "string", required: true, description: "" },
        { name: "kind", type: "string", required: false, description: "", enum: ["big", "small"] },
        { name: "tags", type: "array of string", required: false, description: "" },
      ]),
    });
    const { stdout } = await run("view listThings");
    expect(stdout).toContain("scopes\tread:everything");
    expect(stdout).toContain("state  string, one of open, closed, default: open");
    expect(stdout).not.toContain("Authorization");
  });

  it("suggests similar IDs", async () => {
    const { code, stderr } = await run("view listThing");
    expect(code).toBe(5);
    expect(stderr).toContain("Did you mean: listThings?");
  });
});

describe("operation call", () => {
  it.each([
    ["an unknown name", "createThing -p owner=o -p titel=x", "Did you mean: title?"],
    ["a missing parameter", "createThing -p title=x", "Missing owner"],
    ["a missing field", "createThing -p owner=o -p kind=big", "Missing title"],
    ["a wrong word", "createThing -p owner=o -p title=x -p kind=huge", "must be one of big, small"],
    ["a wrong integer", "createThing -p owner=o -p title=x -p count=1.5", "must be an integer"],
    ["a wrong item", "listThings -p owner=o -p ids=1 -p ids=x", "must be an integer"],
    ["a wrong boolean", "listThings -p owner=o -p wide=yes", "must be true or false"],
    ["a number out of range", "listThings -p owner=o -p share=2", "must be at most 1"],
    ["a wrong time", "listThings -p owner=o -p since=yesterday", "must be a time"],
    ["a wrong date", "listThings -p owner=o -p day=2026-13-01", "must be a date"],
    ["two values for one", "listThings -p owner=o -p wide=true -p wide=true", "takes one value"],
    ["an empty part of the path", "listThings -p owner=", "must not be empty"],
    ["a path that leaves the API", "listThings -p owner=..", "not a valid name"],
    ["a described path that leaves it", "escape", "invalid path"],
    ["a line end in a header", "listThings -p owner=o -p X-Trace=a\r\nb", "must be one line"],
    ["a body for an operation without one", "getRaw -p owner=o -p filepath=a -p title=x", "Unknown parameter 'title'"],
    ["a file that does not exist", "upload -p attachment=missing.bin", "could not read"],
    ["a missing field that is named like a parameter", "createOrg -p username=mara", "Missing body.username"],
    [
      "an integer that would be rounded",
      'createThing -p owner=o -p title=x -p parent={"id":9007199254740993}',
      "--input",
    ],
    ["a missing body", "plain", "--input FILE"],
  ])("refuses %s before anything is sent", async (_name, line, message) => {
    const { code, stderr } = await run(`call ${line}`);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
    expect(sent()).toEqual([]);
  });

  it("sends fields with the types of the description", async () => {
    const line =
      "-p title=12 -p count=9007199254740993 -p tags=a -p tags=b,c -p config.url=u -p config.a.b=x -p due=null";
    await run(`call createThing -p owner=o/p ${line}`);
    expect(server.seen.at(-1)).toMatchObject({ method: "POST", url: "/api/v1/things/o%2Fp" });
    expect(server.seen.at(-1)?.body).toBe(
      '{"title":"12","count":9007199254740993,"tags":["a","b,c"],"due":null,"config":{"url":"u","a.b":"x"}}',
    );
  });

  it("sets a field that is named like a parameter as body.NAME, and needs no read-only field", async () => {
    await run("call createOrg -p username=mara -p body.username=fleet -p full_name=Fleet");
    expect(server.seen.at(-1)).toMatchObject({ url: "/api/v1/admin/users/mara/orgs" });
    expect(server.seen.at(-1)?.body).toBe('{"username":"fleet","full_name":"Fleet"}');
    expect((await run("view createOrg")).stdout).toContain("body.username");
  });

  it("ends where schemas are made of each other without end", async () => {
    expect((await run("call createKnot -p a=b")).code).toBe(0);
    expect(server.seen.at(-1)?.body).toBe('{"a":"b"}');
  });

  it("sends lists in the query as the description says, and headers", async () => {
    const lists = "-p ids=1 -p ids=2 -p names=a -p names=b -p pipes=x -p pipes=y";
    await run(`call listThings -p owner=o -p page=3 ${lists} -p X-Trace=t`);
    expect(sent()).toEqual(["GET /api/v1/things/o?page=3&ids=1&ids=2&names=a%2Cb&pipes=x%7Cy"]);
    expect(server.seen.at(-1)?.headers["x-trace"]).toBe("t");
  });

  it("keeps the slashes of a path", async () => {
    await run("call getRaw -p owner=o -p filepath=docs/a%20b.md");
    await run("call getStar -p path=x/y");
    expect(sent()).toEqual(["GET /api/v1/things/o/raw/docs/a%2520b.md", "GET /api/v1/star/x/y"]);
  });

  it("reads every page of a list up to the limit", async () => {
    const things = Array.from({ length: 70 }, (_, id) => ({ id }));
    answer = ({ url }) => {
      const query = new URL(url, server.url).searchParams;
      const size = Number(query.get("limit"));
      const start = (Number(query.get("page")) - 1) * size;
      return { body: things.slice(start, start + size), headers: { "x-total-count": "70" } };
    };
    expect((await run("call listThings -p owner=o --all --jq length")).stdout).toBe("70\n");
    const some = await run("call listThings -p owner=o");
    expect(JSON.parse(some.stdout)).toHaveLength(30);
    expect(some.stderr).toContain("Showing 30 of 70");
  });

  it("uploads files as a form and sends other forms", async () => {
    writeFileSync(join(home, "a.bin"), "content");
    await run("call upload -p attachment=a.bin -p label=x");
    const upload = server.seen.at(-1);
    expect(upload?.headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
    expect(upload?.body).toContain(
      'name="attachment"; filename="a.bin"\r\nContent-Type: application/octet-stream\r\n\r\ncontent',
    );
    await run("call form -p count=3");
    expect(server.seen.at(-1)).toMatchObject({ body: "count=3" });
    await run("call plain --input -", { stdin: "text" });
    expect(server.seen.at(-1)).toMatchObject({ body: "text" });
    expect(server.seen.at(-1)?.headers["content-type"]).toBe("text/plain");
  });

  it("checks --input, too, and sends it unchanged", async () => {
    const good = '{ "title": "x",\n "count": 1 }';
    await run("call createThing -p owner=o --input -", { stdin: good });
    expect(server.seen.at(-1)?.body).toBe(good);
    const before = server.lines().length;
    for (const stdin of ["{", '{"titel":"x"}', '{"count":1}', '{"title":"x","count":"1"}', "[]"]) {
      expect((await run("call createThing -p owner=o --input -", { stdin })).code).toBe(2);
    }
    expect(server.lines()).toHaveLength(before);
  });

  it("asks before a DELETE, and warns that the operation is deprecated", async () => {
    expect((await run("call deleteThings -p owner=o")).code).toBe(2);
    expect((await run("call deleteThings -p owner=o", { terminal: true, answers: [false] })).code).toBe(3);
    expect(sent()).toEqual([]);
    const { code, stderr } = await run("call deleteThings -p owner=o --yes");
    expect(code).toBe(0);
    expect(stderr).toContain("deprecated");
    expect(sent()).toEqual(["DELETE /api/v1/things/o"]);
  });

  it("prints a write with --dry-run instead of sending it", async () => {
    const { stdout } = await run("call createThing -p owner=o -p title=x --dry-run");
    expect(stdout).toContain('"title": "x"');
    expect(sent()).toEqual([]);
  });

  it("prints the response unchanged, or a record with a JSON format", async () => {
    answer = () => ({ body: '{"b": 1,\n"a": 2}' });
    expect((await run("call same")).stdout).toBe('{"b": 1,\n"a": 2}');
    expect((await run("call same --jq .a")).stdout).toBe("2\n");
    answer = () => ({ body: "plain" });
    expect((await run("call same --json")).code).toBe(7);
  });

  it("reports what the server refuses", async () => {
    answer = () => ({ status: 422, body: { message: "no such thing" } });
    expect(await run("call same")).toMatchObject({ code: 13, stderr: expect.stringContaining("no such thing") });
  });

  it("calls a server that is below a path, and describes it", async () => {
    description = { ...oddDescription, basePath: "/git/api/v1" };
    await server.close();
    server = await serve(({ url }) => ({ body: url === "/git/swagger.v1.json" ? description : [] }));
    expect((await run("call listThings -p owner=o", { env: { TONGS_HOST: `${server.url}/git` } })).code).toBe(0);
    expect(sent()).toEqual([expect.stringMatching(/^GET \/git\/api\/v1\/things\/o\?/)]);
  });

  it("never follows a description to another host", async () => {
    description = oddDescription3;
    await run("call listThings -p tags=a -p tags=b -p joined=c -p joined=d");
    expect(sent()).toEqual(["GET /api/v1/things?tags=a&tags=b&joined=c%2Cd"]);
  });

  it("understands OpenAPI 3: null, alternatives, bodies and files", async () => {
    description = oddDescription3;
    await run("call createThing -p name=x -p either=y -p maybe=null");
    expect(server.seen.at(-1)?.body).toBe('{"name":"x","either":"y","maybe":null}');
    expect((await run("call createThing")).stderr).toContain("Missing name");
    expect((await run("call createThing -p name=x -p more=1")).code).toBe(2);
    await run("call putFile --input -", { stdin: "bytes" });
    expect(server.seen.at(-1)?.headers["content-type"]).toBe("application/octet-stream");
  });
});

describe("operation on the sandbox", () => {
  it("lists every route that the sandbox serves, and calls them by the names that Gitea has", async () => {
    const sandbox = await onSandbox();
    const world = { cwd: home };
    const count = Number((await sandbox.run(["operation", "list", "--all", "--jq", "length"], world)).stdout);
    expect(count).toBeGreaterThan(250);
    const ids = await sandbox.run(["operation", "list", "--all", "--jq", "[.[].id] | unique | length"], world);
    expect(Number(ids.stdout)).toBe(count);
    const call = (line: string) => sandbox.run(["operation", "call", ...line.split(" "), "-R", "mara/harbor"], world);
    await call("issueCreateLabel -p name=tide -p color=#0e8a16");
    expect(sandbox.writes()).toEqual(["POST /repos/mara/harbor/labels"]);
    expect((await call('issueListLabels --all --jq [.[].name]|index("tide")!=null')).stdout).toBe("true\n");
    expect((await call("issueListIssues -p state=shut")).stderr).toContain("must be one of closed, open, all");
    expect((await call("repoGetPullRequest -p index=2 --jq .number")).stdout).toBe("2\n");
  });
});
