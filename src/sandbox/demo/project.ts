import { makeFork } from "../api/forks.ts";
import { labelSets, newLabel } from "../api/labels.ts";
import { addOwners } from "../api/orgs.ts";
import { changeRefs, createBare } from "../git/refs.ts";
import { commitPaths } from "../git/write.ts";
import type { Area } from "../http/route.ts";
import { timestamp } from "../http/time.ts";
import type { Site } from "../site.ts";
import { newPackage, newTeam, newUser, userNamed } from "../state/accounts.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { newRepo } from "../state/repos.ts";
import { type DemoBranch, harborBranches, toolingBranches } from "./branch-data.ts";
import { demoUser } from "./seed.ts";

/** The demo project: repositories, a fork, an organization and a package. */
export const demoProject: Area = {
  routes: [],
  async demo(site) {
    const [mara, jonas, priya, tomas] = (["mara", "jonas", "priya", "tomas"] as const).map((name) =>
      demoUser(site, name),
    );
    if (!mara || !jonas || !priya || !tomas) throw new Error("the demo users do not exist");
    const harbor = await addRepo(site, {
      ownerId: mara.id,
      name: "harbor",
      description: "Tide tables, berths and the log of a small harbor",
      topics: ["harbor", "tides"],
      watchers: [mara.id, jonas.id, priya.id],
    });
    // Actions are enabled after the history exists, because its pushes must not start runs.
    const units = { ...harbor.units, has_actions: false };
    site.table("repos").put({ ...harbor, units });
    for (const label of labelSets["Default"] ?? []) newLabel(site.store, { ...label, repoId: harbor.id });
    addMilestones(site, harbor);
    for (const [user, access] of [
      [jonas, "write"],
      [tomas, "read"],
    ] as const) {
      site.table("collaborations").put({ repoId: harbor.id, userId: user.id, access });
    }
    await addHistory(site, harbor, harborBranches);
    const present = site.table("repos").get(harbor.id) ?? harbor;
    await makeFork(site, present, priya, "harbor");
    await addRepo(site, {
      ownerId: jonas.id,
      name: "notes",
      description: "Private notes",
      private: true,
      watchers: [jonas.id],
    });
    newPackage(site.store, {
      ownerId: priya.id,
      creatorId: priya.id,
      type: "generic",
      name: "tide-tables",
      version: "1.0.0",
      created: site.now(),
    });
    await addOrganization(site);
  },
};

async function addRepo(
  site: Site,
  given: Partial<RepoRecord> & { ownerId: number; name: string },
): Promise<RepoRecord> {
  const repo = newRepo(site.store, site.now(), given);
  await createBare(site, repo);
  return repo;
}

function addMilestones({ store, now }: Site, { id: repoId }: RepoRecord): void {
  const shared = { repoId, created_at: now(), updated_at: now() };
  for (const [title, state] of [
    ["Before the season", "open"],
    ["Winter storage", "closed"],
  ] as const) {
    const closed_at = state === "closed" ? now() : null;
    store.table("milestones").add({ title, description: "", state, closed_at, due_on: null, ...shared });
  }
}

/** Creates the organization `pilots` with a team and a repository. */
async function addOrganization(site: Site): Promise<void> {
  const org = newUser(site.store, site.now(), { kind: "organization", name: "pilots", full_name: "Harbor Pilots" });
  addOwners({ site }, org, demoUser(site, "mara"));
  const tooling = await addRepo(site, {
    ownerId: org.id,
    name: "tooling",
    description: "Everyday tools for the pilots",
  });
  newTeam(site.store, {
    orgId: org.id,
    name: "night-watch",
    description: "On duty at night",
    permission: "none",
    units: { "repo.code": "write", "repo.issues": "write", "repo.pulls": "write" },
    members: [demoUser(site, "jonas").id, demoUser(site, "tomas").id],
    repos: [tooling.id],
    visibility: "private",
  });
  await addHistory(site, tooling, toolingBranches);
}

/** Creates the branches and their commits, dated a little more than an hour apart up to now. */
async function addHistory(site: Site, repo: RepoRecord, branches: readonly DemoBranch[]): Promise<void> {
  const tips = new Map<string, string>();
  const total = branches.reduce((sum, branch) => sum + branch.commits.length, 0);
  let age = total;
  for (const { name, from, commits } of branches) {
    let tip = from === undefined ? undefined : tips.get(from);
    for (const { by, message, files } of commits) {
      const user = userNamed(site.store, by);
      if (user === undefined) throw new Error(`the demo user ${by} does not exist`);
      const date = timestamp(Date.parse(site.now()) - age * 4_000_000);
      const signature = { name: user.full_name, email: user.email, date };
      const paths = Object.entries(files).map(([path, text]) =>
        text === null ? { path } : { path, content: Buffer.from(text) },
      );
      const parents = tip === undefined ? [] : [tip];
      tip = await commitPaths(site, repo, paths, {
        parents,
        message: `${message}\n`,
        author: signature,
        committer: signature,
      });
      age -= 1;
    }
    if (tip !== undefined) tips.set(name, tip);
  }
  const owner = site.table("users").get(repo.ownerId);
  if (owner === undefined) throw new Error(`repository ${repo.id} has no owner`);
  const changes = [...tips].map(([name, to]) => ({ ref: `refs/heads/${name}`, from: undefined, to }));
  await changeRefs(site, repo, owner, changes);
}
