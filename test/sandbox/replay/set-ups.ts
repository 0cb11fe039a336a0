import type { Person } from "../../../src/sandbox/serve.ts";
import type { Step } from "./replay.ts";

/** Who and what is there before the first exchange of a file. */
export interface SetUp {
  readonly people: readonly Person[];
  readonly steps: readonly Step[];
}

const root: Person = { name: "root1", password: "not-a-secret-1", email: "root1@example.org", is_admin: true };
const person = (name: string, more: Partial<Person> = {}): Person => ({
  name,
  password: "not-a-secret",
  email: `${name}@example.org`,
  ...more,
});
const mara = person("mara", { full_name: "Mara Lindqvist" });
const repo = (as: string, name: string, more: object = {}): Step => ({
  as,
  method: "POST",
  path: "/user/repos",
  body: { name, auto_init: true, readme: "Default", default_branch: "main", ...more },
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
    ],
  },
  "branches-files": {
    people: [root, mara, person("jonas", { full_name: "Jonas Weber" }), person("priya"), person("tomas")],
    steps: [
      repo("mara", "lantern", { auto_init: false }),
      repo("mara", "chart"),
      // A rule of another repository, so that the numbers of rules are those of the recording.
      { as: "mara", method: "POST", path: "/repos/mara/chart/branch_protections", body: { rule_name: "main" } },
    ],
  },
  pulls: {
    people: [
      root,
      person("mara", { full_name: "Mara Lindqvist", password: "secret-mara-1" }),
      person("jonas", { full_name: "Jonas Weber", password: "secret-jonas-1" }),
      person("priya", { full_name: "Priya Raman", password: "secret-priya-1" }),
      person("tomas", { full_name: "Tomas Novak", password: "secret-tomas-1" }),
    ],
    steps: [],
  },
  repositories: { people: [root, person("mara"), person("jonas"), person("priya")], steps: [] },
};
