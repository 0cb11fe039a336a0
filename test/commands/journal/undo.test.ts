import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { inverseOf, type Past } from "../../../src/app/journal/inverse.ts";
import type { Inverse } from "../../../src/forge/undo.ts";
import { masked } from "../../../src/http/mask.ts";
import { emptyFolder, type Ran } from "../../support/tongs.ts";
import { type OnSandbox, onSandbox } from "../on-sandbox.ts";
import { forgetUndone } from "./forget-undone.ts";

type Line = string | readonly string[];

/** A kind of write of which a command shows more than every-write.test.ts does. A line is a command, or the YAML of a policy. */
interface Kind {
  readonly what: string;
  readonly first?: readonly Line[];
  readonly write: Line;
  /** What changes what was written. */
  readonly since: Line;
  /** Whether that changes a part of it only. */
  readonly partly?: true;
  /** Where it shows, and which fields of what is there. */
  readonly look: readonly [path: string, ...fields: string[]];
}

const yaml = (text: string) => ["policy", text];
const repo = "/repos/mara/harbor";

const kinds: readonly Kind[] = [
  {
    what: "the name of a repository",
    first: ["repo create quay"],
    write: "repo rename wharf -R harbormaster/quay",
    since: "repo rename pier -R harbormaster/wharf",
    look: ["/repos/harbormaster/quay", "full_name"],
  },
  {
    what: "the due date of an issue that had none",
    first: [["issue", "create", "--title", "Undated", "--body", "x"]],
    write: "issue edit LAST --due 2027-01-02",
    since: "issue edit LAST --due 2027-03-04",
    look: [`${repo}/issues/LAST`, "due_date"],
  },
  {
    what: "a due date that was removed",
    first: [["issue", "create", "--title", "Dated", "--body", "x", "--due", "2027-01-02"]],
    write: "issue edit LAST --no-due",
    since: "issue edit LAST --due 2027-03-04",
    look: [`${repo}/issues/LAST`, "due_date"],
  },
  {
    what: "the text and a label of an issue, in two requests",
    first: [["issue", "create", "--title", "Worded", "--body", "x"], "label create worded --color ff0000"],
    write: "issue edit LAST --body y --add-label worded",
    since: "issue edit LAST --body z",
    partly: true,
    look: [`${repo}/issues/LAST`, "body", "labels"],
  },
  {
    what: "the milestone of a pull request that had none",
    first: ["milestone create swell", "milestone create surge"],
    write: "pr edit 4 --milestone swell",
    since: "pr edit 4 --milestone surge",
    look: [`${repo}/pulls/4`, "milestone"],
  },
  {
    what: "the due date of a milestone that had none",
    first: ["milestone create undated"],
    write: "milestone edit undated --due 2027-01-02",
    since: "milestone edit undated --due 2027-03-04",
    look: [`${repo}/milestones`, "title", "due_on"],
  },
  {
    what: "the value of a variable",
    first: ["variable set WIDTH --body nine --description metres"],
    write: "variable set WIDTH --body ten --description feet",
    since: "variable set WIDTH --body eleven",
    look: [`${repo}/actions/variables/WIDTH`, "data", "description"],
  },
  {
    what: "the name of a variable",
    first: ["variable set SPEED --body nine"],
    write: "variable set SPEED --name KNOTS",
    since: "variable set KNOTS --body ten",
    look: [`${repo}/actions/variables/SPEED`, "data"],
  },
  {
    what: "a variable that a policy removed",
    first: ["variable set GONE --body nine -R harbormaster/pruned"],
    write: yaml("{prune: true, repositories: {harbormaster/pruned: {variables: {}}}}"),
    since: "variable set GONE --body ten -R harbormaster/pruned",
    look: ["/repos/harbormaster/pruned/actions/variables/GONE", "data"],
  },
  {
    what: "a new label",
    write: "label create tide --color ff0000",
    since: "label edit tide --color 00ff00",
    look: [`${repo}/labels?limit=50`, "name", "color"],
  },
  {
    what: "the due date of a milestone, which is removed by leaving it out",
    first: ["milestone create Dated --due 2027-01-02"],
    write: "milestone edit Dated --no-due",
    since: "milestone edit Dated --due 2027-03-04",
    look: [`${repo}/milestones?state=all`, "title", "due_on"],
  },
  {
    what: "the permission of a team",
    write: "team edit squadron/pilots --permission admin",
    since: "team edit squadron/pilots --permission write --units issues",
    look: ["/orgs/squadron/teams", "name", "permission", "units_map"],
  },
  {
    what: "the settings of a repository",
    write: yaml("{repositories: {mara/harbor: {settings: {has_wiki: false, description: Charts}}}}"),
    since: ["repo", "edit", "--description", "Other"],
    look: [repo, "has_wiki", "description"],
  },
  {
    what: "who may push to a branch that was closed",
    first: ["branch protection create closed --enable-push --enable-push-whitelist --push-whitelist-deploy-keys"],
    write: "branch protection edit closed --no-enable-push",
    since: "branch protection edit closed --enable-push",
    look: [`${repo}/branch_protections/closed`, "enable_push", "enable_push_whitelist", "push_whitelist_deploy_keys"],
  },
  {
    what: "topics that were given in capitals",
    write: "repo edit mara/harbor --topic Tides,SEA",
    since: "repo topic add Foam",
    look: [`${repo}/topics`, "topics"],
  },
  {
    what: "a branch protection whose deletion was undone",
    first: ["branch protection create twice --required-approvals 1", "branch protection delete twice --yes", "UNDO"],
    write: "UNDO",
    since: "branch protection create twice --required-approvals 2",
    look: [`${repo}/branch_protections/twice`, "required_approvals"],
  },
  {
    what: "the order of branch protections",
    first: [
      "repo create berths",
      ...["one", "two", "three"].map((name) => `branch protection create ${name} -R harbormaster/berths`),
    ],
    write: "branch protection order three one -R harbormaster/berths",
    since: "branch protection order two -R harbormaster/berths",
    look: ["/repos/harbormaster/berths/branch_protections", "rule_name", "priority"],
  },
];

describe("journal undo", () => {
  let box: OnSandbox;
  let state: string;
  let last = "";
  beforeAll(async () => {
    box = await onSandbox();
    state = emptyFolder();
    const team = { name: "pilots", permission: "write", units: ["repo.code"], description: "" };
    await box.ask("POST", "/orgs", "harbormaster", { username: "squadron" });
    await box.ask("POST", "/orgs/squadron/teams", "harbormaster", team);
    await box.ask("POST", "/user/repos", "harbormaster", { name: "pruned" });
  });

  async function run(line: Line): Promise<Ran> {
    const cwd = emptyFolder();
    const env = { XDG_STATE_HOME: state, TONGS_REPO: "mara/harbor" };
    if (Array.isArray(line) && line[0] === "policy" && line.length === 2) {
      writeFileSync(join(cwd, "policy.yml"), line[1] ?? "");
      return box.run(["policy", "apply", "policy.yml", "--yes"], { cwd, env });
    }
    const words = typeof line === "string" ? line.split(" ") : [...line];
    const ran = await box.run(
      words.map((word) => (word === "LAST" ? last : word)),
      { cwd, env },
    );
    if (words[0] === "issue" && words[1] === "create") last = /\/issues\/(\d+)/.exec(ran.stdout)?.[1] ?? "";
    return ran;
  }
  async function done(line: Line): Promise<void> {
    const ran = line === "UNDO" ? await undo((await newest()).number) : await run(line);
    expect(ran.code, `${line}: ${ran.stderr}`).toBe(0);
  }
  const undo = (number: number) => run(["journal", "undo", `${number}`, "--yes", "--json"]);
  async function newest(): Promise<{
    readonly number: number;
    readonly undoable: boolean;
    readonly reason: string | null;
  }> {
    const [entry] = (await run("journal list --limit 1 --json")).json() as {
      number: number;
      undoable: boolean;
      reason: string;
    }[];
    return entry ?? { number: 0, undoable: false, reason: "no entry" };
  }

  /** The status and the fields of what is at a place. */
  async function now([path, ...fields]: Kind["look"]): Promise<unknown> {
    const { status, body } = await box.ask("GET", path.replace("LAST", last), "harbormaster");
    const pick = (one: Record<string, unknown>) => fields.map((field) => one[field]);
    if (Array.isArray(body))
      return body
        .map(pick)
        .map((one) => JSON.stringify(one))
        .sort();
    return [status, typeof body === "object" && body !== null && status === 200 ? pick({ ...body }) : ""];
  }

  it.each(kinds)(
    "restores $what, and refuses when it has changed since",
    async ({ first = [], write, since, partly = false, look }) => {
      for (const line of first) await done(line);
      const before = await now(look);
      await done(write);
      const entry = await newest();
      expect(entry).toMatchObject({ undoable: true, reason: null });
      expect(await now(look)).not.toEqual(before);
      const undone = await undo(entry.number);
      expect(undone.code, undone.stderr).toBe(0);
      expect(await now(look)).toEqual(before);

      forgetUndone(state, entry.number);
      const rest = await undo(entry.number);
      expect([rest.code, rest.stderr]).toEqual([0, expect.stringContaining("was already undone")]);
      expect(await now(look)).toEqual(before);

      await done(write);
      const again = await newest();
      await done(since);
      const changed = await now(look);
      const refused = await undo(again.number);
      const isBack = JSON.stringify(changed) === JSON.stringify(before);
      expect([refused.code, refused.stderr]).toEqual(
        isBack
          ? [0, expect.stringContaining("was already undone")]
          : [partly ? 11 : 9, expect.stringContaining('"code":"changed_since"')],
      );
      if (!partly) expect(await now(look)).toEqual(changed);
    },
  );

  it("undoes the rest of a command if one of its requests cannot be undone, and says which", async () => {
    await done("branch create spit");
    await done("api -X POST /repos/mara/harbor/contents/spit.txt -f content=eA== -f message=x -f branch=spit");
    await done("pr create --head spit --title Spit --body x");
    const [pull] = (await run("pr list --limit 1 --json number")).json() as { number: number }[];
    const commit = (await run("branch view spit --jq .commit.id")).stdout.trim();
    await done(`pr close ${pull?.number} --delete-branch --comment Superseded`);
    const { number, reason } = await newest();
    expect(reason).toBe(`servers do not keep what is deleted: create it again at ${commit}`);
    const state = () => now([`${repo}/pulls/${pull?.number}`, "state", "comments"]);
    expect(await state()).toEqual([200, ["closed", 1]]);
    const undone = await undo(number);
    expect([undone.code, undone.stderr]).toEqual([
      11,
      expect.stringContaining(`"message":"${reason}","target":"DELETE /api/v1/repos/mara/harbor/branches/spit"`),
    ]);
    expect(await state()).toEqual([200, ["open", 0]]);
  });

  it("undoes the rest if another request of the command to the same path has changed since", async () => {
    await done("issue create --title Low --body x");
    await done("issue edit LAST --title High --add-assignee jonas");
    const { number } = await newest();
    await done("issue edit LAST --title Other");
    const undone = await undo(number);
    expect([undone.code, undone.stderr]).toEqual([11, expect.stringContaining('"code":"changed_since"')]);
    expect(await now([`${repo}/issues/LAST`, "title", "assignees"])).toEqual([200, ["Other", null]]);
    await done("issue edit LAST --title Highest --add-assignee mara");
    const both = await newest();
    await done("issue edit LAST --title Lowest --remove-assignee mara");
    // Whoever removed the assignee undid that.
    expect(await undo(both.number)).toMatchObject({ code: 11 });
    expect(await now([`${repo}/issues/LAST`, "title", "assignees"])).toEqual([200, ["Lowest", null]]);
  });

  it("shows all requests before it sends the first", async () => {
    await done("label create skerry --color ff0000");
    await done("issue create --title Low --body x");
    await done("issue edit LAST --title High --add-label skerry");
    const { number } = await newest();
    const entry = (await run(`journal view ${number} --json`)).json() as { requests: object[] };
    expect(entry.requests).toHaveLength(2);
    const dry = await run(`journal undo ${number} --dry-run`);
    expect(dry.stderr.match(/^(POST|PUT|PATCH|DELETE) /gm) ?? []).toHaveLength(2);
    expect(dry.stderr).not.toContain("could not be undone");
  });

  it("is refused while another process undoes the same command, and after it", async () => {
    await run("label create twice --color ff0000 -R mara/harbor");
    const { number } = await newest();
    const both = await Promise.all([run(`journal undo ${number} --yes`), run(`journal undo ${number} --yes`)]);
    expect(both.map(({ code }) => code).sort()).toEqual([0, 9]);
    expect(both.map(({ stderr }) => stderr).join("")).toContain(`Entry ${number} is being undone by another process`);
    const late = await run(`journal undo ${number} --yes`);
    expect([late.code, late.stderr]).toEqual([9, expect.stringContaining("already undone")]);
  });

  it("says in a dry run nothing of fields that are not sent", async () => {
    await done("milestone create dated --due 2027-01-02");
    const { stdout } = await run("milestone edit dated --no-due --dry-run --json");
    expect(JSON.parse(stdout).dry_run).toMatchObject({ body: {} });
    expect(JSON.parse(stdout).dry_run).not.toHaveProperty("cannot_undo");
  });

  it.each([
    { command: "repo edit -R mara/harbor --private", what: "the stars that it removed" },
    {
      command: "repo collaborator remove jonas -R mara/harbor --yes",
      what: "the assignments and watches that it ended",
    },
    { command: "team member remove squadron/pilots jonas --yes", what: "the assignments and watches that it ended" },
  ])("says before and after $command what stays lost", async ({ command, what }) => {
    if (command.startsWith("team")) await done("team member add squadron/pilots jonas");
    if (command.startsWith("repo edit")) await done("star add mara/harbor");
    const left = `undo does not restore ${what}`;
    expect((await run(`${command} --dry-run --json`)).json()).toMatchObject({ dry_run: { undo_remaining: [left] } });
    expect((await run(`${command} --dry-run`)).stderr).toContain(
      `Dry run: the request was not sent. U${left.slice(1)}.`,
    );
    await done(command);
    const undone = await undo((await newest()).number);
    expect([undone.code, undone.stderr.replace(/\s+/g, " ")]).toEqual([
      0,
      expect.stringContaining(`! U${left.slice(1)}`),
    ]);
  });

  it("says nothing of stars where there are none, and before an undo that it removes those there are", async () => {
    await done("repo create bare-rock");
    const edit = "repo edit -R harbormaster/bare-rock --private";
    expect((await run(`${edit} --dry-run --json`)).json()).not.toHaveProperty("dry_run.undo_remaining");
    await done(edit);
    await done("repo edit -R harbormaster/bare-rock --no-private");
    const undone = await undo((await newest()).number);
    expect([undone.code, undone.stderr]).toEqual([
      0,
      expect.stringContaining("Undo removes the stars that it has by then"),
    ]);
  });

  it("empties a list of a protection that had none, whose null servers ignore", async () => {
    await done("branch protection create unchecked --enable-status-check");
    await done("branch protection edit unchecked --status-check-contexts ci");
    expect((await undo((await newest()).number)).code).toBe(0);
    const left = await run("branch protection view unchecked --jq .status_check_contexts");
    expect(left.stdout).toBe("[]\n");
  });

  it("says that a release gets new dates that was a draft in between", async () => {
    await done("release create v78 --notes x --target main");
    const { dry_run } = (await run("release edit v78 --draft --dry-run --json")).json() as { dry_run: object };
    expect(dry_run).toMatchObject({ undo_remaining: ["undo does not restore the dates that it removed"] });
  });

  it("says that the tag of a draft stays that was published", async () => {
    await done("release create v77 --draft --notes x");
    await done("release edit v77 --no-draft");
    const undone = await undo((await newest()).number);
    expect([undone.code, undone.stderr]).toEqual([11, expect.stringContaining("Undo leaves v77 as a tag")]);
  });

  it("does not undo the permission of a collaborator that the server did not return", () => {
    const path = "/api/v1/repos/mara/harbor/collaborators/jonas";
    const entry = { method: "PUT", path, body: { permission: "write" }, status: 204 };
    expect(inverseOf({ ...entry, before: { permission: "none" } })).toContain("does not return the permission");
    expect(inverseOf({ ...entry, before: { permission: "read" } })).toMatchObject({
      request: { body: { permission: "read" } },
    });
  });

  it("does not reopen what was closed before", async () => {
    await done("pr close 4");
    await done("pr edit 4 --title Other");
    await done("api -X PATCH /repos/mara/harbor/pulls/4 -f state=closed");
    expect(await newest()).toMatchObject({ undoable: false, reason: "it changed nothing" });
    await done("pr reopen 4");
  });

  it("says before that a team keeps the repositories that it is given", async () => {
    const edit = "team edit squadron/pilots --includes-all-repositories";
    const said = "ndo leaves pilots with the repositories that it was given";
    expect((await run(`${edit} --dry-run --json`)).json()).toMatchObject({ dry_run: { undo_remaining: [`u${said}`] } });
    const shown = () => now(["/orgs/squadron/teams", "name", "includes_all_repositories"]);
    const before = await shown();
    await done(edit);
    expect(await shown()).not.toEqual(before);
    const undone = await undo((await newest()).number);
    expect([undone.code, undone.stderr]).toEqual([11, expect.stringContaining(`! U${said}`)]);
    expect(await shown()).toEqual(before);
  });

  it.each([
    { noun: "user", create: "user create NAME --email NAME@example.org --generate-password", at: "/users" },
    { noun: "org", create: "org create NAME", at: "/orgs" },
  ])("refuses to rename another $noun that has the new name since", async ({ noun, create, at }) => {
    for (const name of ["sloop", "ketch"]) await done(create.replaceAll("NAME", `${noun}-${name}`));
    await done(`${noun} rename ${noun}-sloop ${noun}-yawl`);
    const { number } = await newest();
    await done(`${noun} rename ${noun}-yawl ${noun}-cutter`);
    await done(`${noun} rename ${noun}-ketch ${noun}-yawl`);
    const refused = await undo(number);
    expect([refused.code, JSON.parse(refused.stderr)]).toMatchObject([9, { error: { code: "changed_since" } }]);
    const name = noun === "user" ? "login" : "name";
    expect(await now([`${at}/${noun}-yawl`, name])).toEqual([200, [`${noun}-yawl`]]);
  });

  it("refuses to edit another repository that has taken the name since", async () => {
    await done("repo create vault");
    await done("repo edit -R harbormaster/vault --private");
    const { number } = await newest();
    await done("repo delete harbormaster/vault --yes");
    await done("repo create vault --private");
    const refused = await undo(number);
    expect([refused.code, JSON.parse(refused.stderr)]).toMatchObject([9, { error: { code: "changed_since" } }]);
    expect(await now(["/repos/harbormaster/vault", "private"])).toEqual([200, [true]]);
  });
});

const past = { user: "mara", status: 200, undone: false };

it("removes the assignees of an issue that had none, which is null in its record", () => {
  const path = "/api/v1/repos/mara/harbor/issues/1";
  const body = { assignees: ["jonas"] };
  const states = { before: { assignees: null }, after: { assignees: [{ login: "jonas" }] } };
  const entry: Past = { ...past, method: "PATCH", path, body, ...states };
  expect(inverseOf(entry)).toMatchObject({ request: { method: "PATCH", path, body: { assignees: [] } } });
});

it("switches a unit on again with the settings that it loses", () => {
  const path = "/api/v1/repos/mara/harbor";
  const rules = { allow_merge_commits: false, allow_squash_merge: true, default_merge_style: "squash" };
  const tracker = { external_tracker: { external_tracker_url: "https://t.example.org" } };
  const wiki = { external_wiki: { external_wiki_url: "https://w.example.org" } };
  const units = { has_pull_requests: true, has_issues: true, has_wiki: true };
  const off = { has_pull_requests: false, has_issues: false, has_wiki: false };
  const entry = (body: object, before: object): Past => {
    const lost = { allow_squash_merge: false, external_tracker: undefined, external_wiki: undefined };
    return { ...past, method: "PATCH", path, body, before, after: { ...before, ...body, ...(body === off && lost) } };
  };
  expect(inverseOf(entry(off, { ...units, ...rules, ...tracker, ...wiki }))).toMatchObject({
    request: { method: "PATCH", path, body: { ...units, ...rules, ...tracker, ...wiki } },
  });
  const { request } = inverseOf(entry({ has_issues: false }, { has_issues: true, ...rules })) as Inverse;
  expect(request.body).toEqual({ has_issues: true });
});

it("undoes what the server returns of an edit with the sign-in of a mirror, which it leaves as it is", () => {
  const path = "/api/v1/repos/mara/harbor";
  const body = { description: "New", mirror_username: "mara", mirror_password: masked };
  const states = { before: { description: "Old" }, after: { description: "New" } };
  expect(inverseOf({ ...past, method: "PATCH", path, body, ...states })).toMatchObject({
    request: { body: { description: "Old" } },
    remaining: [
      "undo leaves mirror_password as it is: the journal does not keep it",
      expect.stringContaining("mirror_username"),
    ],
  });
});

it("edits a protection that it creates again if the server ignored fields", () => {
  const path = "/api/v1/repos/mara/harbor/branch_protections/main";
  const before = { rule_name: "main", enable_push: false, enable_force_push: true };
  const inverse = inverseOf({ ...past, method: "DELETE", path, body: null, before, status: 204 }) as Inverse;
  expect(inverse.notRestored?.({ ...before, enable_force_push: false })).toEqual([
    { name: "enable_force_push", requested: true, actual: false },
  ]);
  expect(inverse.orElse).toEqual({ method: "PATCH", path, body: before });
});
