import { afterAll, beforeAll, expect, test } from "vitest";
import { harbor, pullSandbox } from "./pulls-support.ts";
import type { TestSandbox } from "./with-sandbox.ts";

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await pullSandbox();
});
afterAll(() => sandbox.close());

const titles = (body: unknown) => (body as { title: string }[]).map(({ title }) => title);
const names = (body: unknown) => (body as { name: string }[]).map(({ name }) => name);

test("labels are added and removed one by one, by name or id, and unknown ones are ignored", async () => {
  const labels = `${harbor}/issues/4/labels`;
  expect(names((await sandbox.ask("POST", labels, "jonas", { labels: ["bug", "no such"] })).body)).toEqual([
    "bug",
    "enhancement",
  ]);
  const bug = ((await sandbox.ask("GET", `${harbor}/labels`)).body as { id: number; name: string }[]).find(
    ({ name }) => name === "bug",
  );
  expect((await sandbox.ask("DELETE", `${labels}/${bug?.id}`, "jonas")).status).toBe(204);
  expect(names((await sandbox.ask("GET", labels)).body)).toEqual(["enhancement"]);
  expect((await sandbox.ask("DELETE", `${labels}/999`, "jonas")).status).toBe(404);
  expect((await sandbox.ask("POST", labels, "tomas", { labels: ["bug"] })).status).toBe(403);
});

test("assignees are added and removed one by one", async () => {
  const assignees = `${harbor}/issues/4/assignees`;
  const login = ({ body }: { body: unknown }) =>
    (body as { assignees: { login: string }[] | null }).assignees?.map((user) => user.login);
  const added = await sandbox.ask("POST", assignees, "mara", { assignees: ["mara"] });
  expect([added.status, login(added)]).toEqual([201, ["jonas", "mara"]]);
  const left = await sandbox.ask("DELETE", assignees, "mara", { assignees: ["jonas", "mara"] });
  expect([left.status, login(left)]).toEqual([200, undefined]);
  expect((await sandbox.ask("POST", assignees, "mara", { assignees: ["nobody-here"] })).status).toBe(422);
});

test("a milestone is cleared through the issue, but not through the pull request", async () => {
  const milestone = async () =>
    ((await sandbox.ask("GET", `${harbor}/pulls/4`)).body as { milestone: unknown }).milestone;
  await sandbox.ask("PATCH", `${harbor}/pulls/4`, "mara", { milestone: 0 });
  expect(await milestone()).not.toBeNull();
  expect((await sandbox.ask("PATCH", `${harbor}/issues/4`, "mara", { milestone: 0 })).status).toBe(201);
  expect(await milestone()).toBeNull();
});

test("comments are created, counted, edited and deleted; users without write access edit only their own", async () => {
  const path = `${harbor}/issues/5/comments`;
  const made = await sandbox.ask("POST", path, "priya", { body: "By length or by draught?" });
  const { id, html_url } = made.body as { id: number; html_url: string };
  expect([made.status, html_url]).toEqual([201, `${sandbox.url}/mara/harbor/pulls/5#issuecomment-${id}`]);
  expect((await sandbox.ask("GET", `${harbor}/pulls/5`)).body).toMatchObject({ comments: 1 });
  const one = `${harbor}/issues/comments/${id}`;
  expect((await sandbox.ask("PATCH", one, "tomas", { body: "x" })).status).toBe(403);
  expect((await sandbox.ask("PATCH", one, "priya", { body: "By draught?" })).body).toMatchObject({
    body: "By draught?",
  });
  expect((await sandbox.ask("GET", path)).body).toMatchObject([{ body: "By draught?" }]);
  expect((await sandbox.ask("DELETE", one, "mara")).status).toBe(204);
  expect((await sandbox.ask("GET", one)).status).toBe(404);
});

test("issues are listed by assignee, label, text and type, and searched across repositories", async () => {
  await sandbox.ask("PATCH", `${harbor}/issues/5`, "mara", { assignees: ["tomas"] });
  const list = async (query: string) => titles((await sandbox.ask("GET", `${harbor}/issues?type=pulls&${query}`)).body);
  expect(await list("assigned_by=tomas")).toEqual(["Sort the berths by size"]);
  expect(await list("labels=bug")).toEqual(["Show the depth of each berth"]);
  expect(await list("q=north pier")).toEqual(["Add the fog signal"]);
  expect(await list("state=closed")).toEqual([
    "Two more berths",
    "Measure in fathoms",
    "Add the address of the harbor office",
  ]);
  const search = async (query: string, as = "") =>
    titles((await sandbox.ask("GET", `/repos/issues/search?${query}`, as)).body);
  expect(await search("type=pulls&owner=mara&q=berth")).toEqual([
    "Show the depth of each berth",
    "Sort the berths by size",
  ]);
  expect(await search("type=pulls&assigned=true", "tomas")).toEqual(["Sort the berths by size"]);
  expect(await search("type=issues")).toEqual([]);
});

test("an issue of a private repository is found only by users with access", async () => {
  await sandbox.ask("POST", "/repos/jonas/notes/issues", "jonas", { title: "A private matter" });
  const search = async (as: string) =>
    titles((await sandbox.ask("GET", "/repos/issues/search?q=private matter", as)).body);
  expect([await search("jonas"), await search("priya")]).toEqual([["A private matter"], []]);
});

test("the counts of a repository and its milestones are updated", async () => {
  const { body } = await sandbox.ask("GET", harbor);
  expect(body).toMatchObject({ open_pr_counter: 4, open_issues_count: 0 });
  const milestones = await sandbox.ask("GET", `${harbor}/milestones`);
  expect(milestones.body).toMatchObject([{ title: "Before the season", open_issues: 1, closed_issues: 0 }]);
});
