import { json } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import {
  anything,
  boolean,
  type Infer,
  list,
  map,
  nullable,
  optional,
  record,
  serverRecord,
  string,
} from "../shape/shape.ts";

/** A field of a form. `attributes` and `validations` depend on the type (src/commands/issue/form.ts). */
const formField = serverRecord(
  "a field of a form",
  {
    type: string,
    id: optional(string),
    attributes: optional(nullable(map(anything))),
    validations: optional(nullable(map(anything))),
    /** Where it is shown: in the `form`, in the `content` of the issue; both if absent. */
    visible: optional(nullable(list(string))),
  },
  ["type", "id", "attributes", "validations", "visible"],
);

export type FormField = Infer<typeof formField>;

/** An issue template: a form has `body`, a Markdown template has `content`. */
export const issueTemplate = serverRecord(
  "an issue template",
  {
    name: string,
    title: optional(string),
    about: optional(string),
    labels: optional(nullable(list(string))),
    assignees: optional(nullable(list(string))),
    /** `refs/heads/NAME`; without a name if the file names none. */
    ref: optional(string),
    content: optional(string),
    body: optional(nullable(list(formField))),
    file_name: string,
  },
  ["name", "title", "about", "labels", "assignees", "ref", "content", "body", "file_name"],
);

export type IssueTemplate = Infer<typeof issueTemplate>;

const contactLink = serverRecord("a contact link", { name: string, url: string, about: string }, [
  "name",
  "url",
  "about",
]);

/** The issue configuration of a repository; without a file, or with a broken one, the defaults. */
export const issueConfig = serverRecord(
  "an issue configuration",
  { blank_issues_enabled: boolean, contact_links: optional(nullable(list(contactLink))) },
  ["blank_issues_enabled", "contact_links"],
);

/** Whether the configuration file is valid, and what is wrong with it. */
export const issueConfigCheck = serverRecord("a validation", { valid: boolean, message: string }, ["valid", "message"]);

/** The configuration and, with `--check`, whether it is valid. */
export const checkedConfig = record({ ...issueConfig.fields, ...issueConfigCheck.fields });

/** Issue templates and the issue configuration, from the default branch. */
export function issueTemplatesApi(http: Http) {
  return {
    /** By file name. Broken files are left out; Gitea warns about them. */
    list: (repo: RepoName) =>
      http.list(path`/repos/${repo.owner}/${repo.name}/issue_templates`, { items: issueTemplate, unpaged: true }),

    config: (repo: RepoName) =>
      http.get(path`/repos/${repo.owner}/${repo.name}/issue_config`, { answers: json(issueConfig) }),

    check: (repo: RepoName) =>
      http.get(path`/repos/${repo.owner}/${repo.name}/issue_config/validate`, { answers: json(issueConfigCheck) }),
  };
}
