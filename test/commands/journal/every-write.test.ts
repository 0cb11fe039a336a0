import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { allOperations } from "../../../src/forge/all-operations.ts";
import { levelPaths } from "../../../src/forge/level.ts";
import { serve, type TestServer } from "../../support/server.ts";
import { emptyFolder, type Ran, tongs } from "../../support/tongs.ts";
import { type OnSandbox, onSandbox } from "../on-sandbox.ts";
import { forgetUndone } from "./forget-undone.ts";

/** `METHOD /path`, and the body. `ID` is the ID of what the last of them created. */
type Request = readonly [line: string, body?: unknown, as?: string];

/** How a write is tried. */
interface Try {
  /** What must be there before. */
  readonly first?: readonly Request[];
  readonly write: Request;
  /** Where it shows, if not at the path of the write. */
  readonly look?: string;
  /** Whether the same write once more changes nothing, so that it is not undone. */
  readonly again?: false;
}

const repo = "/repos/harbormaster/quay";
const issue = `${repo}/issues/1`;
const key = (n: number) => ({
  title: `key ${n}`,
  key: `ssh-ed25519 ${Buffer.concat([Buffer.from("0000000b7373682d6564323535313900000020", "hex"), Buffer.alloc(32, n)]).toString("base64")}`,
});
const label: Request = [`POST ${repo}/labels`, { name: "tide", color: "#ff0000" }];
const comment: Request = [`POST ${issue}/comments`, { body: "First" }];
const review: Request = [`POST ${repo}/pulls/3/reviews`, { event: "REQUEST_CHANGES", body: "Not yet" }, "mara"];
const team = (name: string): Request => [
  "POST /orgs/squadron/teams",
  { name, permission: "write", units: ["repo.code"] },
];
const hook = (url: string): Request => [
  `POST ${repo}/hooks`,
  { type: "gitea", config: { url, content_type: "json" }, events: ["push"] },
];
const assignees = { assignees: ["jonas", "mara"] };

const pathOf = ([line]: Request) => line.replace(/^\w+ |\?.*$/g, "");

/** The writes of the sandbox that can be undone, by operation. */
const tries: Readonly<Record<string, Try>> = {
  userEdit: {
    first: [["PATCH /admin/users/jonas", { login_name: "jonas", source_id: 0 }]],
    write: ["PATCH /admin/users/jonas", { admin: true, full_name: "Jo", login_name: "jonas", source_id: 0 }],
    look: "/users/jonas",
  },
  userRename: {
    write: ["POST /admin/users/priya/rename", { new_username: "priyanka" }],
    look: "/users/priya",
    again: false,
  },
  branchProtectionCreate: { write: [`POST ${repo}/branch_protections`, { rule_name: "tide/*" }], again: false },
  branchProtectionEdit: {
    first: [[`POST ${repo}/branch_protections`, { rule_name: "ebb" }]],
    write: [`PATCH ${repo}/branch_protections/ebb`, { required_approvals: 2 }],
  },
  branchProtectionDelete: {
    first: [[`POST ${repo}/branch_protections`, { rule_name: "neap", required_approvals: 3 }]],
    write: [`DELETE ${repo}/branch_protections/neap`],
    again: false,
  },
  tagProtectionCreate: {
    write: [`POST ${repo}/tag_protections`, { name_pattern: "v*", whitelist_usernames: ["mara"] }],
    again: false,
  },
  tagProtectionEdit: {
    first: [[`POST ${repo}/tag_protections`, { name_pattern: "w*", whitelist_usernames: ["mara"] }]],
    write: [`PATCH ${repo}/tag_protections/ID`, { name_pattern: "x*" }],
  },
  tagProtectionDelete: {
    first: [[`POST ${repo}/tag_protections`, { name_pattern: "y*", whitelist_usernames: ["mara"] }]],
    write: [`DELETE ${repo}/tag_protections/ID`],
    look: `${repo}/tag_protections`,
    again: false,
  },
  branchRename: {
    first: [[`POST ${repo}/branches`, { new_branch_name: "topic/one" }]],
    write: [`PATCH ${repo}/branches/topic/one`, { name: "topic/two" }],
    look: `${repo}/branches`,
    again: false,
  },
  collaboratorAdd: {
    write: [`PUT ${repo}/collaborators/jonas`, { permission: "admin" }],
    look: `${repo}/collaborators/jonas/permission`,
  },
  collaboratorRemove: {
    first: [[`PUT ${repo}/collaborators/mara`, { permission: "read" }]],
    write: [`DELETE ${repo}/collaborators/mara`],
    look: `${repo}/collaborators`,
  },
  commentCreate: { write: comment, look: `${issue}/comments`, again: false },
  commentEdit: { first: [comment], write: [`PATCH ${repo}/issues/comments/ID`, { body: "Second" }] },
  keyAdd: { write: ["POST /user/keys", key(3)], again: false },
  keyDelete: {
    first: [["POST /user/keys", key(4)]],
    write: ["DELETE /user/keys/ID"],
    look: "/user/keys",
    again: false,
  },
  userKeyAdd: { write: ["POST /admin/users/jonas/keys", key(5)], look: "/users/jonas/keys", again: false },
  userKeyDelete: {
    first: [["POST /admin/users/jonas/keys", key(6)]],
    write: ["DELETE /admin/users/jonas/keys/ID"],
    look: "/users/jonas/keys",
    again: false,
  },
  followAdd: { write: ["PUT /user/following/jonas"] },
  followRemove: { first: [["PUT /user/following/mara"]], write: ["DELETE /user/following/mara"] },
  hookCreate: { write: hook("https://a.example.org"), again: false },
  hookEdit: {
    first: [hook("https://b.example.org")],
    write: [`PATCH ${repo}/hooks/ID`, { active: true, events: ["release"] }],
  },
  issueEdit: { write: [`PATCH ${repo}/issues/2`, { title: "Other", assignees: ["jonas"], state: "closed" }] },
  issueMilestoneSet: {
    first: [[`POST ${repo}/milestones`, { title: "Spring" }]],
    write: [`PATCH ${issue}`, { milestone: "ID" }],
  },
  issueAssigneeAdd: {
    first: [[`PATCH ${issue}`, { assignees: ["mara"] }]],
    write: [`POST ${issue}/assignees`, assignees],
    look: issue,
  },
  issueAssigneeRemove: {
    first: [[`PATCH ${issue}`, { assignees: ["mara"] }]],
    write: [`DELETE ${issue}/assignees`, assignees],
    look: issue,
  },
  labelCreate: { write: label, look: `${repo}/labels`, again: false },
  labelEdit: {
    first: [label],
    write: [`PATCH ${repo}/labels/ID`, { name: "ebb", color: "#00ff00" }],
    look: `${repo}/labels`,
  },
  issueLabelAdd: { first: [label], write: [`POST ${issue}/labels`, { labels: ["ID"] }] },
  issueLabelRemove: {
    first: [label, [`PUT ${issue}/labels`, { labels: ["ID"] }]],
    write: [`DELETE ${issue}/labels/ID`],
    look: `${issue}/labels`,
    again: false,
  },
  milestoneCreate: { write: [`POST ${repo}/milestones`, { title: "Neap" }], again: false },
  milestoneEdit: {
    first: [[`POST ${repo}/milestones`, { title: "Flood" }]],
    write: [`PATCH ${repo}/milestones/ID`, { state: "closed", title: "Flow" }],
  },
  orgEdit: { write: ["PATCH /orgs/squadron", { full_name: "Fleet", visibility: "private" }] },
  orgRename: { write: ["POST /orgs/fleet/rename", { new_name: "flotilla" }], look: "/orgs/fleet", again: false },
  orgMemberPublish: {
    first: [["DELETE /orgs/squadron/public_members/harbormaster"]],
    write: ["PUT /orgs/squadron/public_members/harbormaster"],
    look: "/orgs/squadron/public_members",
  },
  orgMemberConceal: {
    first: [["PUT /orgs/squadron/public_members/harbormaster"]],
    write: ["DELETE /orgs/squadron/public_members/harbormaster"],
    look: "/orgs/squadron/public_members",
  },
  issueLock: { write: [`PUT ${issue}/lock`, { lock_reason: "Spam" }], look: issue },
  issueUnlock: { first: [[`PUT ${issue}/lock`, {}]], write: [`DELETE ${issue}/lock`], look: issue },
  pullEdit: { write: [`PATCH ${repo}/pulls/3`, { title: "Other", base: "side" }] },
  releaseEdit: {
    first: [[`POST ${repo}/releases`, { tag_name: "v1", name: "One", body: "Notes" }]],
    write: [`PATCH ${repo}/releases/ID`, { name: "Uno", body: "Changed", prerelease: true }],
  },
  repoEdit: { write: [`PATCH ${repo}`, { archived: true, description: "Charts" }] },
  reviewDismiss: {
    first: [review],
    write: [`POST ${repo}/pulls/3/reviews/ID/dismissals`, { message: "Old" }],
    look: `${repo}/pulls/3/reviews/ID`,
  },
  reviewUndismiss: {
    first: [review, [`POST ${repo}/pulls/3/reviews/ID/dismissals`, { message: "Old" }]],
    write: [`POST ${repo}/pulls/3/reviews/ID/undismissals`],
    look: `${repo}/pulls/3/reviews/ID`,
  },
  reviewerRequest: {
    first: [
      [`PUT ${repo}/collaborators/mara`, {}],
      [`PUT ${repo}/collaborators/priya`, {}],
      [`POST ${repo}/pulls/3/requested_reviewers`, { reviewers: ["mara"] }],
    ],
    write: [`POST ${repo}/pulls/3/requested_reviewers`, { reviewers: ["mara", "priya"] }],
    look: `${repo}/pulls/3`,
  },
  reviewerRemove: {
    first: [[`POST ${repo}/pulls/3/requested_reviewers`, { reviewers: ["mara"] }]],
    write: [`DELETE ${repo}/pulls/3/requested_reviewers`, { reviewers: ["mara", "priya"] }],
    look: `${repo}/pulls/3`,
  },
  runnerEdit: { write: ["PATCH /admin/actions/runners/1", { disabled: true }], look: "/admin/actions/runners" },
  starAdd: { write: ["PUT /user/starred/mara/harbor"] },
  starRemove: { first: [["PUT /user/starred/mara/harbor"]], write: ["DELETE /user/starred/mara/harbor"] },
  teamCreate: { write: team("teamCreate"), look: "/orgs/squadron/teams", again: false },
  teamEdit: { first: [team("teamEdit")], write: ["PATCH /teams/ID", { name: "pilots", description: "Harbor" }] },
  teamMemberAdd: { first: [team("teamMemberAdd")], write: ["PUT /teams/ID/members/jonas"], look: "/teams/ID/members" },
  teamMemberRemove: {
    first: [team("teamMemberRemove"), ["PUT /teams/ID/members/jonas"]],
    write: ["DELETE /teams/ID/members/jonas"],
    look: "/teams/ID/members",
  },
  teamRepoAdd: { first: [team("teamRepoAdd")], write: ["PUT /teams/ID/repos/squadron/dock"], look: "/teams/ID/repos" },
  teamRepoRemove: {
    first: [team("teamRepoRemove"), ["PUT /teams/ID/repos/squadron/dock"]],
    write: ["DELETE /teams/ID/repos/squadron/dock"],
    look: "/teams/ID/repos",
  },
  repoTeamAdd: {
    first: [team("helm")],
    write: ["PUT /repos/squadron/dock/teams/helm"],
    look: "/repos/squadron/dock/teams",
    again: false,
  },
  repoTeamRemove: {
    first: [team("keel"), ["PUT /repos/squadron/dock/teams/keel"]],
    write: ["DELETE /repos/squadron/dock/teams/keel"],
    look: "/repos/squadron/dock/teams",
    again: false,
  },
  topicsSet: {
    first: [[`PUT ${repo}/topics`, { topics: ["swell"] }]],
    write: [`PUT ${repo}/topics`, { topics: ["tides", "ebb"] }],
  },
  topicAdd: { write: [`PUT ${repo}/topics/spring`], look: `${repo}/topics` },
  topicRemove: {
    first: [[`PUT ${repo}/topics/neap`]],
    write: [`DELETE ${repo}/topics/neap`],
    look: `${repo}/topics`,
    again: false,
  },
  variableCreate: {
    write: [`POST ${repo}/actions/variables/DEPTH`, { value: "nine" }],
    look: `${repo}/actions/variables`,
    again: false,
  },
  variableUpdate: {
    first: [[`POST ${repo}/actions/variables/WIDTH`, { value: "nine" }]],
    write: [`PUT ${repo}/actions/variables/WIDTH`, { value: "ten", name: "BEAM" }],
    look: `${repo}/actions/variables`,
    again: false,
  },
  variableDelete: {
    first: [[`POST ${repo}/actions/variables/GONE`, { value: "nine" }]],
    write: [`DELETE ${repo}/actions/variables/GONE`],
    look: `${repo}/actions/variables`,
    again: false,
  },
  watchAdd: { first: [["DELETE /repos/mara/harbor/subscription"]], write: ["PUT /repos/mara/harbor/subscription"] },
  watchRemove: { first: [["PUT /repos/mara/harbor/subscription"]], write: ["DELETE /repos/mara/harbor/subscription"] },
  workflowDisable: {
    write: ["PUT /repos/mara/harbor/actions/workflows/ci.yml/disable"],
    look: "/repos/mara/harbor/actions/workflows",
  },
  workflowEnable: {
    first: [["PUT /repos/mara/harbor/actions/workflows/ci.yml/disable"]],
    write: ["PUT /repos/mara/harbor/actions/workflows/ci.yml/enable"],
    look: "/repos/mara/harbor/actions/workflows",
  },
};

describe("journal undo of each write of the sandbox", () => {
  let box: OnSandbox;
  const state = emptyFolder();
  beforeAll(async () => {
    box = await onSandbox();
    const ask = async (...[line, body]: Request) => {
      const [method = "", path = ""] = line.split(" ");
      const { status } = await box.ask(method, path, "harbormaster", body);
      expect([line, status < 300]).toEqual([line, true]);
    };
    await ask("POST /admin/users", { username: "tom", email: "tom@example.org", password: "not-a-secret-1" });
    await ask("POST /orgs", { username: "squadron" });
    await ask("POST /orgs", { username: "fleet" });
    await ask("POST /orgs/squadron/repos", { name: "dock" });
    await ask("POST /user/repos", { name: "quay", auto_init: true });
    for (const title of ["One", "Two"]) await ask(`POST ${repo}/issues`, { title });
    for (const branch of ["side", "tide"]) await ask(`POST ${repo}/branches`, { new_branch_name: branch });
    await ask(`POST ${repo}/contents/tide.txt`, { content: "dGlkZQ==", message: "Tide", branch: "tide" });
    await ask(`POST ${repo}/pulls`, { title: "Tide", head: "tide", base: "main" });
  });

  /** The state at a place, without what any write changes. */
  async function shown(path: string): Promise<unknown> {
    const { status, body } = await box.ask("GET", path, "harbormaster");
    return [status, withoutTimes(body)];
  }

  it.each(Object.entries(tries))(
    "restores what %s changed, once",
    async (name, { first = [], write, look = pathOf(write), again }) => {
      let id = "";
      const filled = (text: string) => text.replaceAll(/"ID"|\bID\b/g, () => id);
      for (const [line, body, as = "harbormaster"] of first) {
        const [method = "", path = ""] = filled(line).split(" ");
        const asked = await box.ask(
          method,
          path,
          as,
          body === undefined ? undefined : JSON.parse(filled(JSON.stringify(body))),
        );
        const made = asked.body as { id?: number } | undefined;
        expect([line, asked.status < 300], JSON.stringify(asked.body)).toEqual([line, true]);
        id = method === "POST" && made?.id !== undefined ? String(made.id) : id;
      }
      const body: unknown = write[1] === undefined ? undefined : JSON.parse(filled(JSON.stringify(write[1])));
      const env = { XDG_STATE_HOME: state };
      await roundTrip(
        name,
        { write: [filled(write[0]), body], ...(again === undefined ? {} : { again }) },
        {
          run: (line, stdin) => box.run(line, { env, ...(stdin === undefined ? {} : { stdin }) }),
          shows: () => shown(filled(look)),
          state,
        },
      );
    },
  );
});

/** What is at the paths of a small server. */
type State = Map<string, unknown>;

/** A write that the sandbox does not serve. */
interface Small extends Omit<Try, "first"> {
  readonly state: Readonly<Record<string, unknown>>;
  /** What its requests do, if they do not store, merge or delete what is at their path. */
  readonly does?: Readonly<
    Record<string, (state: State, body: Record<string, unknown>, query: URLSearchParams) => void>
  >;
}

const at = (path: string): string => `/repos/mara/harbor${path}`;
const add = (place: string, item: unknown) => (state: State) =>
  state.set(place, [...(state.get(place) as unknown[]), item]);
const drop = (place: string) => (state: State) => state.set(place, []);
const blocked = (place: string) => ({
  [`PUT ${place}/block/jonas`]: add(`${place}/list_blocked`, { block_id: 7 }),
  [`PUT ${place}/unblock/jonas`]: drop(`${place}/list_blocked`),
});
const subscribers = at("/issues/1/subscriptions");
const subscribed = {
  [`PUT ${subscribers}/jonas`]: (state: State) => state.set(subscribers, [{ login: "jonas" }]),
  [`DELETE ${subscribers}/jonas`]: drop(subscribers),
};
const members = "/admin/quota/groups/staff/users";
const inGroup = {
  [`PUT ${members}/jonas`]: add(members, { login: "jonas" }),
  [`DELETE ${members}/jonas`]: drop(members),
};
const group = "/admin/quota/groups/staff";
const rules = (...names: string[]) => ({ name: "staff", rules: names.map((name) => ({ name })) });
const ruled = {
  [`PUT ${group}/rules/all`]: (state: State) => state.set(group, rules("git", "all")),
  [`DELETE ${group}/rules/all`]: (state: State) => state.set(group, rules("git")),
};
const jonas = { "/users/jonas": { id: 7, login: "jonas" } };
const me = { "/user": { id: 1, login: "mara" } };
const heart = { user: { login: "mara" }, content: "heart" };
const reacted = (place: string) => ({
  [`POST ${place}`]: add(place, heart),
  [`DELETE ${place}`]: (state: State) => state.set(place, [{ ...heart, user: { login: "jonas" } }]),
});
const theirs = [{ ...heart, user: { login: "jonas" } }];
const onIssue = at("/issues/1/reactions");
const onComment = at("/issues/comments/9/reactions");
const watch = { issue_index: 1, repo_owner_name: "mara", repo_name: "harbor" };
const started = {
  [`POST ${at("/issues/1/stopwatch/start")}`]: add("/user/stopwatches", watch),
  [`DELETE ${at("/issues/1/stopwatch/delete")}`]: drop("/user/stopwatches"),
};
const emailed = {
  "POST /user/emails": add("/user/emails", { email: "b@example.org" }),
  "DELETE /user/emails": (state: State) => state.set("/user/emails", [{ email: "a@example.org" }]),
};

const other = { owner: "mara", repo: "harbor", index: 2 };
const theOther = { number: 2, repository: { owner: "mara", name: "harbor" } };
const related = (place: string) => ({
  [`POST ${place}`]: add(place, theOther),
  [`DELETE ${place}`]: drop(place),
});
const relation = (kind: string, method: string): Small => ({
  state: { [at(`/issues/1/${kind}`)]: method === "POST" ? [] : [theOther] },
  does: related(at(`/issues/1/${kind}`)),
  write: [`${method} ${at(`/issues/1/${kind}`)}`, other],
  again: false,
});
const badges = "/admin/users/jonas/badges";
const badge = (method: string): Small => ({
  state: { [badges]: method === "POST" ? [] : [{ Slug: "pilot" }] },
  does: { [`POST ${badges}`]: add(badges, { Slug: "pilot" }), [`DELETE ${badges}`]: drop(badges) },
  write: [`${method} ${badges}`, { badge_slugs: ["pilot"] }],
  again: false,
});
const pinned = (method: string): Small => ({
  state: { [at("/issues/1")]: { number: 1, pin_order: method === "POST" ? 0 : 1 } },
  does: {
    [`POST ${at("/issues/1/pin")}`]: (state) => state.set(at("/issues/1"), { number: 1, pin_order: 1 }),
    [`DELETE ${at("/issues/1/pin")}`]: (state) => state.set(at("/issues/1"), { number: 1, pin_order: 0 }),
  },
  write: [`${method} ${at("/issues/1/pin")}`],
  look: at("/issues/1"),
  again: false,
});

const put = (path: string): Small => ({ state: {}, write: [`PUT ${path}`] });
const removed = (path: string): Small => ({ state: { [path]: true }, write: [`DELETE ${path}`] });
const edited = (path: string, before: object, body: object): Small => ({
  state: { [path]: before },
  write: [`PATCH ${path}`, body],
});
const created = (list: string, body: object, name: string | number = 1): Small => ({
  state: { [list]: [] },
  write: [`POST ${list}`, body],
  look: `${list}/${name}`,
  again: false,
});

/** The writes that the sandbox does not serve, on a server that stores what they say. */
const smallTries: Readonly<Record<string, Small>> = {
  blockAdd: put("/user/blocks/jonas"),
  blockRemove: removed("/user/blocks/jonas"),
  userBadgeAdd: badge("POST"),
  userBadgeRemove: badge("DELETE"),
  issueBlockAdd: relation("blocks", "POST"),
  issueBlockRemove: relation("blocks", "DELETE"),
  issueDependencyAdd: relation("dependencies", "POST"),
  issueDependencyRemove: relation("dependencies", "DELETE"),
  issuePin: pinned("POST"),
  issueUnpin: pinned("DELETE"),
  userSettingsEdit: edited("/user/settings", { full_name: "Mara", hide_email: false }, { hide_email: true }),
  ownEmailAdd: {
    state: { "/user/emails": [{ email: "a@example.org" }] },
    does: emailed,
    write: ["POST /user/emails", { emails: ["b@example.org"] }],
  },
  userBlock: {
    state: { ...jonas, "/user/list_blocked": [] },
    does: blocked("/user"),
    write: ["PUT /user/block/jonas"],
    look: "/user/list_blocked",
  },
  userUnblock: {
    state: { ...jonas, "/user/list_blocked": [{ block_id: 7 }] },
    does: blocked("/user"),
    write: ["PUT /user/unblock/jonas"],
    look: "/user/list_blocked",
  },
  orgUserBlock: {
    state: { ...jonas, "/orgs/fleet/list_blocked": [] },
    does: blocked("/orgs/fleet"),
    write: ["PUT /orgs/fleet/block/jonas"],
    look: "/orgs/fleet/list_blocked",
  },
  orgUserUnblock: {
    state: { ...jonas, "/orgs/fleet/list_blocked": [{ block_id: 7 }] },
    does: blocked("/orgs/fleet"),
    write: ["PUT /orgs/fleet/unblock/jonas"],
    look: "/orgs/fleet/list_blocked",
  },
  orgBlockAdd: put("/orgs/fleet/blocks/jonas"),
  orgBlockRemove: removed("/orgs/fleet/blocks/jonas"),
  issueAttachmentCreate: created(at("/issues/1/assets"), { name: "a.txt" }),
  commentAttachmentCreate: created(at("/issues/comments/9/assets"), { name: "a.txt" }),
  releaseAssetCreate: created(at("/releases/1/assets"), { name: "a.txt" }),
  issueAttachmentEdit: edited(at("/issues/1/assets/4"), { name: "a.txt" }, { name: "b.txt" }),
  commentAttachmentEdit: edited(at("/issues/comments/9/assets/4"), { name: "a.txt" }, { name: "b.txt" }),
  deployKeyAdd: created(at("/keys"), key(1)),
  deployKeyDelete: {
    state: { [at("/keys")]: [], [at("/keys/1")]: { id: 1, ...key(1) } },
    does: {
      [`POST ${at("/keys")}`]: (state, sent) =>
        state.set(at("/keys"), [{ id: 1, ...sent }]).set(at("/keys/1"), { id: 1, ...sent }),
    },
    write: [`DELETE ${at("/keys/1")}`],
    again: false,
  },
  gpgKeyAdd: created("/user/gpg_keys", { armored_public_key: "a" }),
  oauthAppCreate: created("/user/applications/oauth2", { name: "dock" }),
  gitHookEdit: edited(at("/hooks/git/update"), { name: "update", content: "" }, { content: "exit 0" }),
  wikiPageEdit: edited(
    at("/wiki/page/Tide"),
    { title: "Tide", content_base64: "YQ==" },
    { content_base64: "Yg==", message: "Edit" },
  ),
  flagAdd: put(at("/flags/large")),
  flagRemove: removed(at("/flags/large")),
  flagsSet: {
    state: { [at("/flags")]: ["small"] },
    does: { [`PUT ${at("/flags")}`]: (state, { flags }) => state.set(at("/flags"), flags) },
    write: [`PUT ${at("/flags")}`, { flags: ["large", "new"] }],
  },
  quotaGroupCreate: {
    state: { "/admin/quota/groups": [], "/admin/quota/groups/crew/users": [] },
    write: ["POST /admin/quota/groups", { name: "crew" }],
    look: "/admin/quota/groups/crew",
    again: false,
  },
  quotaRuleCreate: {
    state: { "/admin/quota/rules": [], "/admin/quota/groups": [{ name: "staff", rules: [{ name: "git" }] }] },
    write: ["POST /admin/quota/rules", { name: "all", limit: 5 }],
    look: "/admin/quota/rules/all",
    again: false,
  },
  quotaRuleEdit: edited("/admin/quota/rules/all", { name: "all", limit: 5 }, { limit: 6 }),
  quotaGroupUserAdd: { state: { [members]: [] }, does: inGroup, write: [`PUT ${members}/jonas`], look: members },
  quotaGroupUserRemove: {
    state: { [members]: [{ login: "jonas" }] },
    does: inGroup,
    write: [`DELETE ${members}/jonas`],
    look: members,
  },
  quotaGroupRuleAdd: { state: { [group]: rules("git") }, does: ruled, write: [`PUT ${group}/rules/all`], look: group },
  quotaGroupRuleRemove: {
    state: { [group]: rules("git", "all") },
    does: ruled,
    write: [`DELETE ${group}/rules/all`],
    look: group,
  },
  issueReactionAdd: {
    state: { ...me, [onIssue]: theirs },
    does: reacted(onIssue),
    write: [`POST ${onIssue}`, { content: "heart" }],
  },
  issueReactionRemove: {
    state: { ...me, [onIssue]: [...theirs, heart] },
    does: reacted(onIssue),
    write: [`DELETE ${onIssue}`, { content: "heart" }],
  },
  commentReactionAdd: {
    state: { ...me, [onComment]: theirs },
    does: reacted(onComment),
    write: [`POST ${onComment}`, { content: "heart" }],
  },
  commentReactionRemove: {
    state: { ...me, [onComment]: [...theirs, heart] },
    does: reacted(onComment),
    write: [`DELETE ${onComment}`, { content: "heart" }],
  },
  issueSubscribe: {
    state: { [subscribers]: [] },
    does: subscribed,
    write: [`PUT ${subscribers}/jonas`],
    look: subscribers,
  },
  issueUnsubscribe: {
    state: { [subscribers]: [{ login: "jonas" }] },
    does: subscribed,
    write: [`DELETE ${subscribers}/jonas`],
    look: subscribers,
  },
  pullMerge: {
    state: { [at("/pulls/3")]: { number: 3, merged: false } },
    does: {
      [`POST ${at("/pulls/3/merge")}`]: (state) => state.set("/scheduled", true),
      [`DELETE ${at("/pulls/3/merge")}`]: (state) => state.set("/scheduled", undefined),
    },
    write: [`POST ${at("/pulls/3/merge")}`, { Do: "merge", merge_when_checks_succeed: true }],
    look: "/scheduled",
    again: false,
  },
  notificationMark: {
    state: { "/notifications/threads/4": { id: 4, unread: true, pinned: false } },
    does: {
      "PATCH /notifications/threads/4": (state, _, query) => {
        const mark = query.get("to-status") ?? "read";
        return state.set("/notifications/threads/4", { id: 4, unread: mark === "unread", pinned: mark === "pinned" });
      },
    },
    write: ["PATCH /notifications/threads/4?to-status=pinned"],
  },
  stopwatchStart: {
    state: { "/user/stopwatches": [] },
    does: started,
    write: [`POST ${at("/issues/1/stopwatch/start")}`],
    look: "/user/stopwatches",
  },
};

describe("journal undo of each write that the sandbox does not serve", () => {
  let state: State;
  let does: Small["does"];
  let server: TestServer;
  const home = emptyFolder();
  beforeAll(async () => {
    server = await serve(
      ({ method, url, body }) => {
        const path = url.replace(/^\/api\/v1|\?.*$/g, "");
        const now = state.get(path);
        if (method === "GET") {
          if (now === undefined) return { status: 404, body: { message: "not found" } };
          return now === true ? { status: 204 } : { body: now };
        }
        const sent = JSON.parse(body) as Record<string, unknown>;
        const own = does?.[`${method} ${path}`];
        const before = JSON.stringify([...state]);
        if (own !== undefined) own(state, sent, new URL(url, server.url).searchParams);
        else if (method === "PUT") state.set(path, true);
        else if (method === "DELETE") state.delete(path);
        else if (method === "PATCH") {
          // How an edit is described is not in the record.
          const { message: _message, ...fields } = sent;
          state.set(path, { ...(now as object), ...fields });
        } else if (now !== undefined) {
          const made = { id: 1, ...sent };
          state.set(`${path}/${path.includes("quota") ? sent["name"] : made.id}`, made);
          return { status: 201, body: made };
        } else return { status: 404, body: { message: "not found" } };
        // Of a subscription the status says whether it was so already.
        const isSo = JSON.stringify([...state]) === before;
        if (path.includes("/subscriptions/")) return { status: isSo ? 200 : 201 };
        const [renamed] = [...state].at(-1) ?? [];
        return method === "PATCH" ? { body: state.get(state.has(path) ? path : (renamed ?? "")) } : { status: 204 };
      },
      { saysVersion: true },
    );
  });

  it.each(Object.entries(smallTries))("restores what %s changed, once", async (name, small) => {
    state = new Map(Object.entries(small.state));
    does = small.does;
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret-token", XDG_STATE_HOME: home };
    await roundTrip(name, small, {
      run: (line, stdin) => tongs(line, { env, ...(stdin === undefined ? {} : { stdin }) }),
      shows: async () => structuredClone(state.get(small.look ?? pathOf(small.write))),
      state: home,
    });
  });

  /** A server with this state, and what a test does on it. */
  function begin(start: Readonly<Record<string, unknown>>, own?: Small["does"]) {
    state = new Map(Object.entries(start));
    does = own;
    const home = emptyFolder();
    const dirs = { XDG_STATE_HOME: home, XDG_CACHE_HOME: home };
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret-token", ...dirs };
    const send = (line: string, body: unknown) => {
      const [method = "", path = ""] = line.split(" ");
      return tongs(["api", "-X", method, path, "--input", "-"], { env, stdin: JSON.stringify(body) });
    };
    const list = () => tongs(["journal", "list", "--json"], { env });
    return {
      home,
      list,
      send,
      undo: (number = 1) => tongs(["journal", "undo", `${number}`, "--yes", "--json"], { env }),
    };
  }

  it("restores the base of a pull request, whatever else is new in the record of its repository", async () => {
    const place = at("/pulls/3");
    const base = (ref: string, sha: string) => ({
      ref,
      sha,
      repo: { ssh_url: "ssh://git@git.example.org:22/a/b.git" },
    });
    const record = { id: 9, number: 3, base: base("main", "aa") };
    const { send, undo } = begin(
      { [place]: record },
      {
        [`PATCH ${place}`]: (now, sent) => now.set(place, { ...record, base: base(String(sent["base"]), "bb") }),
      },
    );
    await send(`PATCH ${place}`, { base: "side" });
    state.set(place, {
      ...record,
      base: { ...base("side", "cc"), repo: { ssh_url: "ssh://gitea@other.example.org/a" } },
    });
    const undone = await undo();
    expect([undone.code, state.get(place)], undone.stderr).toMatchObject([0, { base: { ref: "main" } }]);
  });

  it("renames a wiki page back, unless another one has the old name since", async () => {
    const place = (name: string) => at(`/wiki/page/${encodeURIComponent(name)}`);
    const page = (title: string) => ({ title, sub_url: encodeURIComponent(title), content_base64: "YQ==" });
    const rename = (from: string, to: string) => ({
      [`PATCH ${place(from)}`]: (now: State) => {
        now.delete(place(from));
        return now.set(place(to), page(to));
      },
    });
    const [old, name] = ["Night signals", "Night lights"];
    const { send, undo } = begin({ [place(old)]: page(old) }, { ...rename(old, name), ...rename(name, old) });
    await send(`PATCH ${place(old)}`, { title: name, content_base64: "YQ==", message: "Rename" });
    state.set(place(old), page(old));
    const refused = await undo();
    expect([refused.code, JSON.parse(refused.stderr)]).toMatchObject([9, { error: { code: "changed_since" } }]);
    state.delete(place(old));
    const undone = await undo();
    expect([undone.code, [...state.keys()]], undone.stderr).toEqual([0, [place(old)]]);
  });

  it("keeps what was undone of a command of which the server refused the rest, and undoes that later", async () => {
    const { home: place, undo } = begin({ "/user": { login: "mara" }, "/user/starred/a/b": true });
    const folder = join(place, "tongs", "journal");
    mkdirSync(folder, { recursive: true });
    const at = new Date().toISOString();
    const said = {
      at,
      command: "twice",
      line: "tongs twice",
      about: "",
      host: server.url,
      profile: null,
      user: "mara",
    };
    const name = "/api/v1/repos/mara/harbor/actions/variables/DEPTH";
    const lines = [
      said,
      { index: 0, method: "DELETE", path: name, before: { value: "9" }, status: 204 },
      { index: 1, method: "PUT", path: "/api/v1/user/starred/a/b", before: false, status: 204 },
    ];
    writeFileSync(join(folder, "1.jsonl"), lines.map((line) => JSON.stringify(line)).join("\n"));
    const failed = await undo();
    expect([failed.code, failed.stderr]).toEqual([11, expect.stringContaining(`"target":"DELETE ${name}"`)]);
    expect(state.has("/user/starred/a/b")).toBe(false);
    expect((await undo()).code).toBe(5);
  });

  it("says that Forgejo keeps an address as a second one of an account", async () => {
    const place = "/admin/users/jonas";
    const user = { id: 7, login: "jonas", login_name: "jonas", pronouns: "", email: "a@example.org" };
    const { send, undo } = begin(
      { "/users/jonas": user },
      {
        [`PATCH ${place}`]: (now, sent) =>
          now.set("/users/jonas", { ...user, ...sent }).set(place, { ...user, ...sent }),
      },
    );
    await send(`PATCH ${place}`, { email: "b@example.org" });
    const undone = await undo();
    expect([undone.code, state.get("/users/jonas")]).toMatchObject([11, { email: "a@example.org" }]);
    expect(undone.stderr).toContain("Undo leaves b@example.org as a second address of the account");
  });

  it("undoes what it can of an edit, and says what the server does not return or ignores", async () => {
    const org = { id: 7, name: "fleet", full_name: "", visibility: "public" };
    // Forgejo does not set the visibility to public.
    const ignored = (visibility: unknown) => (visibility === "public" ? {} : { visibility });
    const { send, undo } = begin(
      { "/orgs/fleet": org },
      {
        "PATCH /orgs/fleet": (now, { full_name, visibility }) =>
          now.set("/orgs/fleet", { ...Object(now.get("/orgs/fleet")), full_name, ...ignored(visibility) }),
      },
    );
    await send("PATCH /orgs/fleet", { full_name: "Fleet", visibility: "private", enable_prune: true });
    const undone = await undo();
    expect([undone.code, state.get("/orgs/fleet")]).toMatchObject([1, { full_name: "", visibility: "private" }]);
    expect(undone.stderr).toContain("Undo leaves enable_prune as it is: the server does not return it");
    expect(undone.stderr).toContain("did not apply visibility to the undo of entry 1");
  });

  it("locks an issue again, without the reason", async () => {
    const [place, lock] = [at("/issues/3"), at("/issues/3/lock")];
    const { send, undo } = begin(
      { [place]: { id: 9, is_locked: true } },
      {
        [`DELETE ${lock}`]: (now) => now.set(place, { id: 9, is_locked: false }),
        [`PUT ${lock}`]: (now) => now.set(place, { id: 9, is_locked: true }),
      },
    );
    await send(`DELETE ${lock}`, null);
    const undone = await undo();
    expect([undone.code, state.get(place)]).toMatchObject([0, { is_locked: true }]);
    expect(undone.stderr).toContain("Undo does not restore the reason of the lock");
  });

  it("sends the Authorization header of a webhook again as the server has it, which the journal does not", async () => {
    const place = at("/hooks/3");
    const header = "Bearer not-a-secret-header";
    const hook = {
      id: 3,
      type: "gitea",
      active: true,
      branch_filter: "",
      events: ["push"],
      authorization_header: header,
    };
    const { send, undo, list } = begin(
      { [place]: hook },
      // Servers clear the header if it is not sent.
      { [`PATCH ${place}`]: (now, sent) => now.set(place, { ...hook, authorization_header: "", ...sent }) },
    );
    await send(`PATCH ${place}`, { ...hook, id: undefined, type: undefined, branch_filter: "rel*" });
    expect(JSON.stringify((await list()).json())).not.toContain("not-a-secret");
    const undone = await undo();
    expect([undone.code, state.get(place)]).toMatchObject([0, { branch_filter: "", authorization_header: header }]);
    expect(undone.stderr).not.toContain("leaves");
    await send(`PATCH ${place}`, { authorization_header: "Bearer not-a-secret-other" });
    expect((await list()).json()).toMatchObject([
      { undoable: false, reason: "the journal does not keep authorization_header" },
      {},
      {},
    ]);
  });

  it("subscribes an author again, who is in no list of subscribers", async () => {
    let isSubscribed = true;
    const { send, undo } = begin(
      { [subscribers]: [] },
      {
        [`DELETE ${subscribers}/mara`]: (now) => {
          isSubscribed = false;
          return now.set("/changed", true);
        },
        [`PUT ${subscribers}/mara`]: (now) => {
          isSubscribed = true;
          return now.set(subscribers, [{ login: "mara" }]);
        },
      },
    );
    await send(`DELETE ${subscribers}/mara`, {});
    expect(isSubscribed).toBe(false);
    const undone = await undo();
    expect([undone.code, isSubscribed], undone.stderr).toEqual([0, true]);
  });

  it.each([
    { name: "quotaGroupCreate", since: { "/admin/quota/groups/crew/users": [{ login: "jonas" }] } },
    { name: "quotaRuleCreate", since: { "/admin/quota/groups": [{ name: "staff", rules: [{ name: "all" }] }] } },
  ])("refuses to delete what is in use since: $name", async ({ name, since }) => {
    const { state: start = {}, write: [line, body] = [""], look = "" } = smallTries[name] ?? {};
    state = new Map(Object.entries(start));
    does = undefined;
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret-token", XDG_STATE_HOME: emptyFolder() };
    const [method = "", path = ""] = line.split(" ");
    await tongs(["api", "-X", method, path, "--input", "-"], { env, stdin: JSON.stringify(body) });
    for (const [place, value] of Object.entries(since)) state.set(place, value);
    const refused = await tongs(["journal", "undo", "1", "--yes", "--json"], { env });
    expect([refused.code, JSON.parse(refused.stderr)]).toMatchObject([9, { error: { code: "changed_since" } }]);
    expect(state.has(look)).toBe(true);
  });
});

interface Side {
  readonly run: (line: readonly string[], stdin?: string) => Promise<Ran>;
  readonly shows: () => Promise<unknown>;
  /** Where the journal is. */
  readonly state: string;
}

/** Sends a write and undoes it. The same write once more before that changes nothing, which is not undone. */
async function roundTrip(
  name: string,
  { write: [line, body], again }: Pick<Try, "write" | "again">,
  { run, shows, state }: Side,
) {
  const [method = "", path = ""] = line.split(" ");
  const send = () =>
    run(
      ["api", "-X", method, path, ...(body === undefined ? [] : ["--input", "-"])],
      body === undefined ? undefined : JSON.stringify(body),
    );
  const newest = async () => {
    const [entry] = (await run(["journal", "list", "--limit", "1", "--json"])).json() as {
      number: number;
      reason: string | null;
    }[];
    return entry;
  };
  const before = await shows();
  const sent = await send();
  expect(sent.code, sent.stderr).toBe(0);
  const entry = await newest();
  expect(entry?.reason, name).toBeNull();
  const changed = await shows();
  expect(changed).not.toEqual(before);
  if (again !== false) {
    await send();
    expect(await newest()).toMatchObject({ reason: "it changed nothing" });
  }
  const undone = await run(["journal", "undo", `${entry?.number}`, "--yes"]);
  expect(undone.code, undone.stderr).toBe(0);
  expect(await shows()).toEqual(before);
  forgetUndone(state, entry?.number ?? 0);
  const rest = await run(["journal", "undo", `${entry?.number}`, "--yes"]);
  // No record has whether a merge is scheduled.
  const says = name === "pullMerge" ? "Undid entry" : "was already undone";
  expect([rest.code, rest.stderr]).toEqual([0, expect.stringContaining(says)]);
  expect(await shows()).toEqual(before);
}

/** The writes, and those that say why they cannot be undone. */
const writes = [...allOperations].filter(([, { effect }]) => effect !== "read");
const final = writes.flatMap(([name, { method, path, undo: { cannot } = {}, levels, web }]) =>
  cannot !== undefined && web !== true
    ? [{ name, method, path: path.replace("{level}", levelPaths[levels[0] ?? "user"]), undo: cannot }]
    : [],
);

it("is tried above for every write that does not say why it cannot be undone", () => {
  const untold = writes.filter(([, { undo }]) => undo?.cannot === undefined).map(([name]) => name);
  expect(untold.toSorted()).toEqual([...Object.keys(tries), ...Object.keys(smallTries)].toSorted());
});

describe("a write that cannot be undone", () => {
  it.each(final)("says so in a dry run: $name", async ({ method, path, undo }) => {
    const env = { TONGS_HOST: "http://127.0.0.1:9", TONGS_TOKEN: "not-a-secret-token", XDG_STATE_HOME: emptyFolder() };
    const line = ["api", "-X", method, path.replaceAll(/\{[^}]+\}/g, "1"), "--dry-run"];
    expect((await tongs([...line, "--json"], { env })).json()).toMatchObject({
      dry_run: { method, cannot_undo: undo },
    });
    expect((await tongs(line, { env })).stderr).toContain(`not sent. It could not be undone: ${undo}.`);
  });
});

/** A value without times, addresses and IDs. */
function withoutTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTimes);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(
    ([name]) => !/_at$|^updated|url$|^id$|^key_id$|_count$|^last_|^priority$|^comments$/.test(name),
  );
  return Object.fromEntries(kept.map(([name, item]) => [name, withoutTimes(item)]));
}
