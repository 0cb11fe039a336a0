import { setTimeout } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";
import { openTarget, type Person } from "./support.ts";

const target = await openTarget();
let mara: Person;
let jonas: Person;
let repo: string;
beforeAll(async () => {
  mara = await target.person("mara");
  jonas = await target.person("jonas");
  await target.ask("POST", "/user/repos", { name: "harbor", auto_init: true, default_branch: "main" }, mara);
  repo = `${mara.login}/harbor`;
});

interface Listed {
  readonly id: number;
  readonly subject: { readonly title: string };
}

it("lists, marks and pins notifications", async () => {
  const run = (line: readonly string[], world = {}) => mara.tongs(["notification", ...line], world);
  const listed = async (...flags: readonly string[]) => (await run(["list", "--json", ...flags])).json() as Listed[];
  for (const title of ["Rope is frayed", "The lamp is out"]) {
    await target.ask("POST", `/repos/${repo}/issues`, { title }, jonas);
  }
  // Servers make notifications a moment later.
  for (let tries = 0; tries < 50 && (await listed("--unread")).length < 2; tries += 1) await setTimeout(200);
  const [first, second] = await listed("--unread");
  if (first === undefined || second === undefined) throw new Error("no notifications");
  expect((await run(["view", String(first.id), "--jq", ".subject.title"])).stdout.trim()).toBe(first.subject.title);
  expect((await jonas.tongs(["notification", "view", String(first.id)])).code).toBe(4);
  expect((await run(["read", String(first.id)])).code).toBe(0);
  expect((await listed("--unread")).map(({ id }) => id)).toEqual([second.id]);
  expect((await run(["unread", String(first.id)])).code).toBe(0);
  expect((await run(["pin", String(second.id), "999999999"])).code).toBe(11);
  expect((await listed("--pinned", "-R", repo)).map(({ id }) => id)).toEqual([second.id]);
  expect((await run(["read", "--yes"])).code).toBe(0);
  expect(await listed("--unread")).toEqual([]);
  expect((await listed("--read", "--type", "issue")).map(({ id }) => id)).toContain(first.id);
});

it("shows what waits for me", async () => {
  await target.ask("PUT", `/repos/${repo}/collaborators/${jonas.login}`, { permission: "write" }, mara);
  await target.ask("POST", `/repos/${repo}/issues`, { title: "Tide gauge", assignees: [jonas.login] }, mara);
  const content = Buffer.from("tide\n").toString("base64");
  const change = { content, message: "Tide", new_branch: "tide" };
  await target.ask("POST", `/repos/${repo}/contents/tide.txt`, change, mara);
  const base = await target.ask("GET", `/repos/${repo}`, undefined, mara);
  const { default_branch } = base as { readonly default_branch: string };
  const made = await target.ask(
    "POST",
    `/repos/${repo}/pulls`,
    { title: "Tide", head: "tide", base: default_branch },
    mara,
  );
  const { number, head } = made as { readonly number: number; readonly head: { readonly sha: string } };
  await target.ask("POST", `/repos/${repo}/pulls/${number}/requested_reviewers`, { reviewers: [jonas.login] }, mara);
  await target.ask("POST", `/repos/${repo}/statuses/${head.sha}`, { state: "failure", context: "ci/tide" }, mara);
  const query = [
    "status",
    "--timeout",
    "60",
    "--jq",
    'map(select(.kind != "notification") | "\\(.kind) \\(.title) \\(.checks | join(","))") | sort',
  ];
  const theirs = await jonas.tongs(query);
  expect([theirs.code, theirs.json()]).toEqual([0, ["assigned Tide gauge ", "review_requested Tide "]]);
  expect((await mara.tongs(query)).json()).toEqual(["failing Tide ci/tide"]);
});
