import { beforeAll, describe, expect, it } from "vitest";
import { emptyFolder, type Ran } from "../support/tongs.ts";
import { openTarget, type Person } from "./support.ts";

const target = await openTarget();
let owner: Person;
let repo: string;
/** The journal of all runs. */
const state = emptyFolder();

beforeAll(async () => {
  owner = await target.person("keeper");
  repo = `${owner.login}/buoy`;
  await target.ask("POST", "/user/repos", { name: "buoy", auto_init: true, default_branch: "main" }, owner);
});

const run = (line: string, as = owner): Promise<Ran> =>
  as.tongs(line.split(" "), { env: { XDG_STATE_HOME: state, TONGS_REPO: repo } });

async function done(line: string, as = owner): Promise<void> {
  const ran = await run(line, as);
  expect(ran.code, `${line}: ${ran.stderr}`).toBe(0);
}

/** The number of the newest entry, which can be undone. */
async function newest(): Promise<string> {
  const [entry] = (await run("journal list --limit 1 --json")).json() as { number: number }[];
  expect(entry).toMatchObject({ undoable: true, reason: null });
  return `${entry?.number}`;
}

/** Writes, undoes, writes again, changes it, and is refused. `look` says what there is. */
async function undoes(
  { write, since, look }: { readonly write: string; readonly since: string; readonly look: () => Promise<unknown> },
  as = owner,
): Promise<void> {
  const before = await look();
  await done(write, as);
  expect(await look()).not.toEqual(before);
  const undone = await run(`journal undo ${await newest()} --yes`, as);
  expect(undone.code, undone.stderr).toBe(0);
  expect(await look()).toEqual(before);
  await done(write, as);
  const entry = await newest();
  await done(since, as);
  const changed = await look();
  const refused = await run(`journal undo ${entry} --yes --json`, as);
  // What is as it was before the write counts as undone.
  if (JSON.stringify(changed) === JSON.stringify(before)) expect(refused.code, refused.stderr).toBe(0);
  else expect([refused.code, JSON.parse(refused.stderr)]).toMatchObject([9, { error: { code: "changed_since" } }]);
  expect(await look()).toEqual(changed);
}

/** The names of what a list has. */
const named = async (path: string, field: string) =>
  ((await target.ask("GET", path, undefined, owner)) as Record<string, unknown>[]).map((one) => one[field]).sort();

describe("journal undo", () => {
  it("renames a user back, unless somebody renamed the user again", async () => {
    const { login } = await target.person("mate");
    const look = async () =>
      ((await target.ask("GET", `/users/${login}`, undefined, target.admin)) as { login: string }).login;
    const [second, third] = [target.unique("second"), target.unique("third")];
    const renames = { write: `user rename ${login} ${second}`, since: `user rename ${second} ${third}`, look };
    await undoes(renames, target.admin);
    await done(`user rename ${third} ${login}`, target.admin);
  });

  it("renames an organization and a branch back where the server can rename them", async ({ skip }) => {
    if (!target.has("POST", "/orgs/{org}/rename")) skip("the server renames neither");
    const org = target.unique("fleet");
    await target.ask("POST", "/orgs", { username: org }, owner);
    const [second, third] = [target.unique("flotilla"), target.unique("armada")];
    await undoes({
      write: `org rename ${org} ${second}`,
      since: `org rename ${second} ${third}`,
      look: () => named("/user/orgs", "username"),
    });
    await target.ask("DELETE", `/orgs/${third}`, undefined, owner);
    await done("branch create topic/one");
    await undoes({
      write: "branch rename topic/one topic/two",
      since: "branch rename topic/two topic/three",
      look: () => named(`/repos/${repo}/branches`, "name"),
    });
  });

  it("renames a repository back", async () => {
    await target.ask("POST", "/user/repos", { name: "quay" }, owner);
    await undoes({
      write: `repo rename wharf -R ${owner.login}/quay`,
      since: `repo rename pier -R ${owner.login}/wharf`,
      look: () => named("/user/repos", "name"),
    });
  });

  it("restores variables: new ones, their values and their names", async ({ skip }) => {
    if (!target.has("GET", "/repos/{owner}/{repo}/actions/variables")) skip("the server has no variables");
    const path = `/repos/${repo}/actions/variables`;
    const look = () => named(path, "name");
    const value = async (name: string) => (await run(`variable get ${name}`)).stdout;
    await undoes({
      write: "variable set DEPTH --body nine",
      since: "variable set DEPTH --body ten",
      look: () => value("DEPTH"),
    });
    await undoes({
      write: "variable set DEPTH --body six",
      since: "variable set DEPTH --body five",
      look: () => value("DEPTH"),
    });
    await undoes({ write: "variable set DEPTH --name DRAFT", since: "variable set DRAFT --body four", look });
  });

  it("restores labels, those of issues, milestones, closed issues, topics and stars", async () => {
    const labels = () => named(`/repos/${repo}/labels`, "name");
    await undoes({ write: "label create tide --color ff0000", since: "label edit tide --color 00ff00", look: labels });
    await undoes({ write: "label edit tide --name ebb", since: "label edit ebb --name flood", look: labels });
    const issue = (await run("issue create --title Fog --body x --json number")).json() as { number: number };
    const ofIssue = async () => {
      const found = await target.ask("GET", `/repos/${repo}/issues/${issue.number}`, undefined, owner);
      const { labels: some, state: now, title } = found as { labels: { name: string }[]; state: string; title: string };
      return [(some ?? []).map(({ name }) => name), now, title];
    };
    const number = `${issue.number}`;
    await undoes({
      write: `issue edit ${number} --add-label flood`,
      since: `issue edit ${number} --remove-label flood`,
      look: ofIssue,
    });
    await undoes({
      write: `issue edit ${number} --title Mist`,
      since: `issue edit ${number} --title Haze`,
      look: ofIssue,
    });
    await undoes({ write: `issue close ${number}`, since: `issue reopen ${number}`, look: ofIssue });
    const milestones = () => named(`/repos/${repo}/milestones?state=all`, "title");
    await done("milestone create Spring");
    await undoes({
      write: "milestone edit Spring --title Neap",
      since: "milestone edit Neap --title Ebb",
      look: milestones,
    });
    const topics = async () => ((await run("repo topic list --json")).json() as string[]).sort();
    await undoes({ write: "repo topic add swell", since: "repo topic remove swell", look: topics });
    const stars = () => named("/user/starred", "full_name");
    await undoes({ write: `star add ${repo}`, since: `star remove ${repo}`, look: stars });
  });
});
