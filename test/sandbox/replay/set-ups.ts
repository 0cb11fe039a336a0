import { actions, registered } from "./actions.ts";
import { person, root, type SetUp, type Step } from "./set-up.ts";

const mara = person("mara", { full_name: "Mara Lindqvist" });
const repo = (as: string, name: string, more: object = {}): Step => ({
  as,
  method: "POST",
  path: "/user/repos",
  body: { name, auto_init: true, readme: "Default", default_branch: "main", ...more },
});

const account = (name: string, change: object, as = "root1"): Step => ({
  as,
  method: "PATCH",
  path: `/admin/users/${name}`,
  body: { login_name: name, source_id: 0, ...change },
});
const administrator = (as: string, name: string, admin: boolean): Step => account(name, { admin }, as);
const dueDate = (issue: string, due_date?: string): Step => ({
  as: "mara",
  method: "PATCH",
  path: `/repos/${issue}`,
  body: { due_date },
});

export const setUps: Readonly<Record<string, SetUp>> = {
  auth: {
    people: [
      root,
      person("mara", { full_name: "Mara Lind", email: "mara.lind@example.org", description: "Harbor keeper" }),
      person("jonas"),
      person("priya", { visibility: "limited" }),
      person("noor"),
      person("tomas"),
    ],
    steps: [
      repo("mara", "harbor", { description: "Tide tables" }),
      repo("mara", "lantern", { private: true, auto_init: false }),
      repo("jonas", "beacon", { auto_init: false }),
      {
        as: "mara",
        method: "POST",
        path: "/orgs",
        body: { username: "pier", full_name: "Pier Works", description: "boats" },
      },
      { as: "mara", method: "POST", path: "/orgs/pier/repos", body: { name: "moorings" } },
      { as: "jonas", method: "PUT", path: "/user/starred/jonas/beacon" },
      { as: "mara", method: "PUT", path: "/user/starred/mara/lantern" },
    ],
  },
  "branches-files": {
    people: [root, mara, person("jonas", { full_name: "Jonas Weber" }), person("priya"), person("tomas")],
    steps: [
      repo("mara", "lantern", { auto_init: false }),
      repo("mara", "chart"),
      // A protection of another repository, so that ids match those of the recording.
      { as: "mara", method: "POST", path: "/repos/mara/chart/branch_protections", body: { rule_name: "main" } },
    ],
  },
  issues: {
    people: [root, mara, person("jonas", { full_name: "Jonas Weber" }), person("priya"), person("tomas")],
    steps: [],
  },
  pulls: { people: [root], steps: [] },
  repositories: { people: [root], steps: [] },
  users: {
    people: [root],
    steps: [],
    between: [
      // A form-encoded body, which the sandbox does not take.
      { before: 85, step: account("mara", { full_name: "Mara L." }) },
      // The administrator was restored by hand during the recording; here another one does it.
      { before: 284, step: administrator("root1", "jonas", true) },
      { before: 285, step: administrator("jonas", "root1", true) },
      { before: 285, step: administrator("root1", "jonas", false) },
      // mara changed her settings, an operation the sandbox does not have.
      {
        before: 292,
        step: account("mara", { full_name: "Mara Lind", description: "Harbor keeper" }),
      },
    ],
  },
  "stars-follows": {
    people: [
      root,
      person("mara", { full_name: "Mara Lind", description: "Harbor keeper" }),
      person("jonas"),
      person("priya", { visibility: "limited" }),
      person("Elin.Berg", { visibility: "private" }),
      person("tomas"),
    ],
    steps: [
      repo("mara", "harbor", { description: "Tide tables" }),
      repo("mara", "lantern", { private: true, auto_init: false }),
      {
        as: "mara",
        method: "POST",
        path: "/orgs",
        body: { username: "pier", full_name: "Pier Works", description: "boats" },
      },
    ],
  },
  artifacts: actions,
  organizations: {
    people: [root, person("mara"), person("jonas"), person("priya"), person("tomas")],
    steps: [repo("mara", "harbor"), repo("jonas", "compass")],
    // The older address of the operation, which the sandbox does not have.
    between: [
      { before: 51, step: { as: "mara", method: "POST", path: "/orgs/pilots/repos", body: { name: "ropes" } } },
    ],
  },
  "issue-details": {
    people: [root],
    steps: [],
    between: [
      // Requests of the file in another way, because the sandbox does not have the deprecated path, nor deadlines.
      { before: 84, step: { as: "mara", method: "DELETE", path: "/repos/mara/beacon/issues/comments/115" } },
      { before: 281, step: dueDate("mara/beacon/issues/2", "2030-03-04T10:20:30Z") },
      { before: 282, step: { ...dueDate("mara/beacon/issues/2"), body: { unset_due_date: true } } },
    ],
  },
  "commits-reviews": { people: [root], steps: [] },
  "keys-apps": {
    people: [root],
    steps: [],
    // mara changed her settings, an operation the sandbox does not have.
    between: [{ before: 275, step: account("mara", { full_name: "", description: "keeper" }) }],
  },
  webhooks: {
    people: [root],
    steps: [],
    between: [{ before: 58, step: dueDate("pier/harbor/issues/1", "2030-01-01T00:00:00Z") }],
  },
  others: {
    people: [root],
    steps: [],
    // A runner registers itself.
    between: [{ before: 31, step: registered("tug", "owner-5", ["ubuntu-latest:docker://node:20", "small"]) }],
  },
  misc: {
    people: [root, person("mara"), person("jonas"), person("priya")],
    steps: [
      repo("mara", "harbor", { description: "Harbour master tools", license: "MIT" }),
      {
        as: "mara",
        method: "PATCH",
        path: "/repos/mara/harbor",
        body: {
          template: true,
          allow_rebase: false,
          default_delete_branch_after_merge: true,
          default_merge_style: "octopus",
        },
      },
      { as: "mara", method: "PUT", path: "/repos/mara/harbor/topics", body: { topics: ["sailing", "tides"] } },
    ],
  },
};
