import { actions } from "./actions.ts";
import { person, root, type SetUp, type Step } from "./set-up.ts";

const mara = person("mara", { full_name: "Mara Lindqvist" });
const repo = (as: string, name: string, more: object = {}): Step => ({
  as,
  method: "POST",
  path: "/user/repos",
  body: { name, auto_init: true, readme: "Default", default_branch: "main", ...more },
});

const administrator = (as: string, name: string, admin: boolean): Step => ({
  as,
  method: "PATCH",
  path: `/admin/users/${name}`,
  body: { login_name: name, source_id: 0, admin },
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
      { before: 277, step: { as: "noor", method: "PUT", path: "/api/packages/noor/generic/cargo/1.0.0/map.txt" } },
      // The administrator was restored by hand during the recording; here another one does it.
      { before: 284, step: administrator("root1", "jonas", true) },
      { before: 285, step: administrator("jonas", "root1", true) },
      { before: 285, step: administrator("root1", "jonas", false) },
      // mara changed her settings, an operation the sandbox does not have.
      {
        before: 292,
        step: {
          as: "root1",
          method: "PATCH",
          path: "/admin/users/mara",
          body: { login_name: "mara", full_name: "Mara Lind", description: "Harbor keeper" },
        },
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
    people: [root, person("mara"), person("jonas"), person("priya")],
    steps: [
      { as: "mara", method: "POST", path: "/orgs", body: { username: "pilots" } },
      { as: "mara", method: "POST", path: "/orgs/pilots/teams", body: { name: "crew", permission: "admin" } },
      { as: "mara", method: "PUT", path: "/teams/2/members/jonas" },
    ],
  },
  misc: { people: [root, person("mara"), person("jonas")], steps: [repo("mara", "harbor")] },
};
