/** Events of both servers: those of GitHub that they know, and their own names of events. */
const events = [
  ...["create", "delete", "fork", "gollum", "issue_comment", "issues", "pull_request", "pull_request_comment"],
  ...["pull_request_review", "pull_request_review_comment", "pull_request_target", "push", "registry_package"],
  ...["release", "schedule", "workflow_call", "workflow_dispatch"],
  ...["issue_assign", "issue_label", "issue_milestone", "package", "pull_request_assign", "pull_request_label"],
  ...["pull_request_milestone", "pull_request_review_approved", "pull_request_review_rejected"],
  ...["pull_request_review_request", "pull_request_sync", "wiki"],
];

/**
 * What servers make of workflow files, read in the sources of Gitea 1.22 to 1.26 (modules/actions/workflows.go and github.go,
 * modules/setting/actions.go, models/secret; act, pkg/exprparser) and of Forgejo 10 and 16 (the same files,
 * services/actions/secret.go; its runner 12, act/schema/workflow_schema.json and act/exprparser). Releases that differ count
 * as the newest. `aliases`: other names of the context `github`. `secrets`: those that each job has, in upper case.
 * `actions`: where `uses: OWNER/NAME@REF` is, unless the administrator has set DEFAULT_ACTIONS_URL.
 */
export const workflowServers = {
  gitea: {
    name: "Gitea",
    events: new Set([...events, "workflow_run"]),
    aliases: new Set(["gitea"]),
    secrets: new Set(["GITHUB_TOKEN", "GITEA_TOKEN"]),
    actions: "https://github.com",
  },
  forgejo: {
    name: "Forgejo",
    events: new Set(events),
    aliases: new Set(["gitea", "forge", "forgejo"]),
    secrets: new Set(["GITHUB_TOKEN", "GITEA_TOKEN", "FORGEJO_TOKEN"]),
    actions: "https://data.forgejo.org",
  },
};

export type Product = keyof typeof workflowServers;

/** The folders in which servers look for workflows: Gitea in the first of the last two that exists, Forgejo of all. */
export const workflowFolders = [".forgejo/workflows", ".gitea/workflows", ".github/workflows"];

/** The files of which one makes a folder an action; a Dockerfile alone does, too. */
export const actionFiles = ["action.yml", "action.yaml"];

/** What runs an action on either server, in lower case, and the key of `runs` that it needs. */
export const actionPrograms: ReadonlyMap<string, string> = new Map([
  ["composite", "steps"],
  ["docker", "image"],
  ...["go", "node12", "node16", "node20", "node24", "sh"].map((program) => [program, "main"] as const),
]);

/** What the context `github` has on GitHub, Gitea or Forgejo. */
export const githubNames = [
  ...["action", "action_path", "action_ref", "action_repository", "action_status", "actor", "actor_id", "api_url"],
  ...["base_ref", "env", "event", "event_name", "event_path", "graphql_url", "head_ref", "job", "job_name", "path"],
  ...["ref", "ref_name", "ref_protected", "ref_type", "repository", "repository_id", "repository_owner"],
  ...["repository_owner_id", "repositoryurl", "retention_days", "run_attempt", "run_id", "run_number"],
  ...["runner_perflog", "runner_tracking_id", "secret_source", "server_url", "sha", "token", "triggering_actor"],
  ...["workflow", "workflow_ref", "workflow_sha", "workspace", "gitea_default_actions_url"],
  ...["forgejo_default_actions_url", "forgejo_server_version"],
];

/** Where servers take more contexts in expressions than GitHub, or where Forgejo's schema allows expressions at all. */
export const moreContexts: Readonly<Record<string, readonly string[]>> = {
  "job-if": ["env", "secrets"],
  "job-if-result": ["secrets"],
  "step-if": ["secrets"],
  "step-if-result": ["secrets"],
  container: ["env"],
  services: ["env"],
  "scalar-needs-context": ["env"],
  "workflow-env": ["env", "runner"],
  "job-env": ["env", "runner"],
};
