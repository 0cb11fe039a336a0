import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { type Method, operation } from "../../src/forge/operation.ts";
import { checkForm, email, gitRefName, max, url } from "../../src/sandbox/http/form.ts";
import { linkHeader } from "../../src/sandbox/http/paging.ts";
import { json } from "../../src/sandbox/http/reply.ts";
import { route } from "../../src/sandbox/http/route.ts";
import { createRouter } from "../../src/sandbox/http/router.ts";
import { anything } from "../../src/shape/shape.ts";
import { testSandbox } from "./with-sandbox.ts";

function served(method: Method, path: string, slashes = false) {
  return route(operation(method, path, { answers: anything, slashes }), {}, () => json(200, {}));
}

const router = createRouter(
  [
    served("GET", "/repos/{owner}/{repo}/branches"),
    served("GET", "/repos/{owner}/{repo}/branches/{branch}", true),
    served("PUT", "/repos/{owner}/{repo}/branches/{branch}", true),
    served("GET", "/repos/{owner}/{repo}/pulls/pinned"),
    served("GET", "/repos/{owner}/{repo}/pulls/{index}"),
    served("GET", "/repos/{owner}/{repo}/pulls/{index}.diff"),
  ].flat(),
);

test.each([
  ["GET", "/repos/mara/harbor/branches", "/repos/{owner}/{repo}/branches", { owner: "mara", repo: "harbor" }],
  [
    "GET",
    "/repos/mara/harbor/branches/a/b",
    "/repos/{owner}/{repo}/branches/{branch}",
    { owner: "mara", repo: "harbor", branch: "a/b" },
  ],
  [
    "GET",
    "/repos/mara/harbor/branches/a%2Fb/",
    "/repos/{owner}/{repo}/branches/{branch}",
    { owner: "mara", repo: "harbor", branch: "a/b" },
  ],
  ["HEAD", "/repos/mara/harbor/pulls/pinned", "/repos/{owner}/{repo}/pulls/pinned", { owner: "mara", repo: "harbor" }],
  [
    "GET",
    "/repos/mara/harbor/pulls/7",
    "/repos/{owner}/{repo}/pulls/{index}",
    { owner: "mara", repo: "harbor", index: "7" },
  ],
  [
    "GET",
    "/repos/mara/harbor/pulls/7.diff",
    "/repos/{owner}/{repo}/pulls/{index}.diff",
    { owner: "mara", repo: "harbor", index: "7" },
  ],
])("%s %s is routed to %s", (method, path, route, params) => {
  expect(router(method, path)).toMatchObject({ route: { path: route }, params });
});

test("a known path with another method returns the allowed methods, an unknown path nothing", () => {
  expect(router("DELETE", "/repos/mara/harbor/branches/a")).toEqual({ allow: ["GET", "PUT"] });
  expect(router("GET", "/nowhere")).toBeUndefined();
});

const release = { product: "gitea", version: "1.27" } as const;
const option = {
  release,
  record: "CreateIssueOption",
  rules: { title: [gitRefName, max(5)], body: [url], assignee: [email] },
};

test.each([
  [{}, "[Title]: Required"],
  [{ title: "" }, "[Title]: Required"],
  [{ title: "a..b" }, "[Title]: GitRefName"],
  [{ title: "abcdef" }, "[Title]: MaxSize"],
  [{ title: "a", body: "x" }, "[Body]: Url"],
  [{ title: "a", assignee: "x" }, "[Assignee]: Email"],
  [{ title: 1 }, "[]: json: cannot unmarshal number into Go struct field CreateIssueOption.title of type string"],
  [
    { title: "a", labels: ["x"] },
    "[]: json: cannot unmarshal string into Go struct field CreateIssueOption.labels of type int64",
  ],
  [
    { title: "a", labels: 3 },
    "[]: json: cannot unmarshal number into Go struct field CreateIssueOption.labels of type []int64",
  ],
  [
    { title: "a", closed: "yes" },
    "[]: json: cannot unmarshal string into Go struct field CreateIssueOption.closed of type bool",
  ],
  [{ title: "a", due_date: "2027-04-01" }, '[]: parsing time "2027-04-01" as "2006-01-02T15:04:05Z07:00"'],
  [{ title: "a", due_date: "2026-13-01T00:00:00Z" }, '[]: parsing time "2026-13-01T00:00:00Z": out of range'],
  [{ title: "a", due_date: "2027-02-29T00:00:00Z" }, '[]: parsing time "2027-02-29T00:00:00Z": out of range'],
  [{ title: "a", due_date: "2027-02-01T24:00:00Z" }, '[]: parsing time "2027-02-01T24:00:00Z": out of range'],
  [
    { title: "a", due_date: "2027-02-01T00:00:00+24:00" },
    '[]: parsing time "2027-02-01T00:00:00+24:00" as "2006-01-02T15:04:05Z07:00"',
  ],
  [[], "[]: json: cannot unmarshal array into Go value of type structs.CreateIssueOption"],
])("the body %j is refused with %s", (body, wrong) => {
  expect(() => checkForm(option, body)).toThrow(wrong);
});

test("the fields of a record in a body are checked, too", () => {
  const file = { release, record: "UpdateFileOptions", rules: { name: [max(3)] } };
  expect(() => checkForm(file, { content: "", sha: "", author: { name: "long" } })).toThrow("[Name]: MaxSize");
});

test("null counts as absent, keys are case-insensitive, unknown keys are ignored", () => {
  expect(checkForm(option, { TITLE: "a", body: null, more: 1 })).toEqual({ title: "a" });
});

test.each([
  [1, 3, 'page=2>; rel="next",page=3>; rel="last"'],
  [2, 3, 'page=3>; rel="next",page=3>; rel="last",page=1>; rel="first",page=1>; rel="prev"'],
  [3, 3, 'page=1>; rel="first",page=2>; rel="prev"'],
  [9, 3, 'page=1>; rel="first",page=2>; rel="prev"'],
  [1, 1, ""],
])("page %i of %i links to its neighbours", (number, pages, links) => {
  const call = { query: new URLSearchParams(), requestPath: "/x", site: { root: "http://h" } };
  const header = linkHeader(call, pages * 30, { number, size: 30 });
  expect(header.replaceAll("<http://h/x?", "")).toBe(links);
});

test("git requests can be compressed", async () => {
  const sandbox = await testSandbox();
  const packet = (text: string) => (text.length + 4).toString(16).padStart(4, "0") + text;
  const response = await fetch(`${sandbox.url}/mara/harbor.git/git-upload-pack`, {
    method: "POST",
    headers: {
      "Content-Type": "application/x-git-upload-pack-request",
      "Content-Encoding": "gzip",
      "Git-Protocol": "version=2",
    },
    body: new Uint8Array(gzipSync(`${packet("command=ls-refs\n")}0001${packet("ref-prefix refs/heads/main\n")}0000`)),
  });
  expect(await response.text()).toMatch(/^[0-9a-f]{4}[0-9a-f]{40} refs\/heads\/main\n0000$/);
  await sandbox.close();
});
