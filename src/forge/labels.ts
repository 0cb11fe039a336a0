import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { type Path, path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { boolean, type Infer, integer, list, listedRecord, optional, string } from "../shape/shape.ts";
import type { Level } from "./level.ts";

/** A label of a repository or an organization; `color` is six hex digits without `#`. */
export const label = listedRecord(
  "a label",
  {
    id: integer,
    name: string,
    exclusive: optional(boolean),
    is_archived: optional(boolean),
    color: optional(string),
    description: optional(string),
    url: string,
  },
  ["id", "name", "exclusive", "is_archived", "color", "description"],
);

export type Label = Infer<typeof label>;

/** A label of a set that the server has for new repositories. */
export const labelTemplate = listedRecord(
  "a label template",
  { name: string, color: optional(string), description: optional(string), exclusive: optional(boolean) },
  ["name", "color", "description", "exclusive"],
);

export type LabelTemplate = Infer<typeof labelTemplate>;

/** What can have labels. */
export type LabelOwner = Extract<Level, { readonly of: "repository" | "organization" }>;

/** The settings of a label. */
export interface LabelOption {
  readonly name?: string | undefined;
  readonly color?: string | undefined;
  readonly description?: string | undefined;
  readonly exclusive?: boolean | undefined;
  readonly is_archived?: boolean | undefined;
}

/** Labels of repositories, organizations, issues and pull requests. Scope `issue`. */
export function labelsApi(http: Http) {
  return {
    ofRepo: (repo: RepoName) =>
      http.list(path`/repos/${repo.owner}/${repo.name}/labels`, { items: label, unique: "id" }),

    /** 404 if the name is a user. */
    ofOrg: (org: string) => http.list(path`/orgs/${org}/labels`, { items: label, unique: "id" }),

    list: (owner: LabelOwner) => http.list(labelsPath(owner), { items: label, unique: "id" }),

    /** Names need not be unique: creating one again makes a second label. */
    create: (owner: LabelOwner, body: LabelOption & { readonly name: string; readonly color: string }) =>
      http.post(labelsPath(owner), { body, answers: json(label) }),

    edit: (owner: LabelOwner, id: number, body: LabelOption) =>
      http.patch(one(owner, id), { body, answers: json(label) }),

    /** Deleting an unknown label is 204, too. */
    delete: (owner: LabelOwner, id: number) => http.delete(one(owner, id), { answers: nothing }),

    /** The names of the label sets. */
    templates: () => http.list(path`/label/templates`, { items: string, unpaged: true }),

    /** The labels of a set; its name is case-sensitive. */
    template: (name: string) => http.get(path`/label/templates/${name}`, { answers: json(list(labelTemplate)) }),

    /** Adds labels to an issue or a pull request; 403 without write access. */
    add: (repo: RepoName, index: number, ids: readonly number[]) =>
      http.post(path`/repos/${repo.owner}/${repo.name}/issues/${index}/labels`, {
        body: { labels: ids },
        answers: json(list(label)),
      }),

    remove: (repo: RepoName, index: number, id: number) =>
      http.delete(path`/repos/${repo.owner}/${repo.name}/issues/${index}/labels/${id}`, { answers: nothing }),
  };
}

function labelsPath(owner: LabelOwner): Path {
  return owner.of === "organization"
    ? path`/orgs/${owner.org}/labels`
    : path`/repos/${owner.repo.owner}/${owner.repo.name}/labels`;
}

function one(owner: LabelOwner, id: number): Path {
  return `${labelsPath(owner)}/${id}` as Path;
}
