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
import { operation, pagesOf } from "./operation.ts";

/** A field of a form. `attributes` and `validations` depend on the type (src/commands/issue/form.ts). */
const formField = serverRecord("a field of a form", {
  type: string,
  id: optional(string),
  attributes: optional(nullable(map(anything))),
  validations: optional(nullable(map(anything))),
  /** Where it is shown: in the `form`, in the `content` of the issue; both if absent. */
  visible: optional(nullable(list(string))),
});

export type FormField = Infer<typeof formField>;

/** An issue template: a form has `body`, a Markdown template has `content`. */
export const issueTemplate = serverRecord("an issue template", {
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
});

export type IssueTemplate = Infer<typeof issueTemplate>;

const contactLink = serverRecord("a contact link", { name: string, url: string, about: string });

/** The issue configuration of a repository; without a file, or with a broken one, the defaults. */
export const issueConfig = serverRecord("an issue configuration", {
  blank_issues_enabled: boolean,
  contact_links: optional(nullable(list(contactLink))),
});

/** Whether the configuration file is valid, and what is wrong with it. */
export const issueConfigCheck = serverRecord("a validation", { valid: boolean, message: string });

/** The configuration and, with `--check`, whether it is valid. */
const { valid, message } = issueConfigCheck.fields;
export const checkedConfig = record({ ...issueConfig.fields, valid: optional(valid), message: optional(message) });

/** By file name, from the default branch. Broken files are left out; Gitea warns about them. */
export const issueTemplateList = operation("GET", "/repos/{owner}/{repo}/issue_templates", {
  answers: pagesOf(issueTemplate, { unpaged: true }),
});

/** From the default branch. */
export const issueConfigGet = operation("GET", "/repos/{owner}/{repo}/issue_config", { answers: issueConfig });

export const issueConfigValidate = operation("GET", "/repos/{owner}/{repo}/issue_config/validate", {
  answers: issueConfigCheck,
});
