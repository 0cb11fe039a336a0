/** What a server makes of workflow files. */
export interface WorkflowServer {
  /** The folders in which it looks for them, in this order: it reads the first that exists, and no other. */
  readonly folders: readonly string[];
  readonly events: ReadonlySet<string>;
  /** Other names of the context `github` in expressions. */
  readonly aliases: ReadonlySet<string>;
  /** Keys of the workflow and of its jobs that only it reads. */
  readonly keys: ReadonlySet<string>;
  /** The secrets that each job has, in upper case. */
  readonly secrets: ReadonlySet<string>;
  /** Where `uses: OWNER/NAME@REF` is, unless its administrator has set DEFAULT_ACTIONS_URL. */
  readonly actions: string;
}

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
 * Read in the sources of Gitea 1.22 to 1.26 (modules/actions/workflows.go and github.go, modules/setting/actions.go,
 * models/secret; act, pkg/exprparser) and of Forgejo 10 and 16 (the same files, services/actions/secret.go; its runner 12,
 * act/schema/workflow_schema.json and act/exprparser). Releases that differ count as the newest.
 */
export const workflowServers = {
  gitea: {
    folders: [".gitea/workflows", ".github/workflows"],
    events: new Set([...events, "workflow_run"]),
    aliases: new Set(["gitea"]),
    keys: new Set<string>(),
    secrets: new Set(["GITHUB_TOKEN", "GITEA_TOKEN"]),
    actions: "https://github.com",
  },
  forgejo: {
    folders: [".forgejo/workflows", ".gitea/workflows", ".github/workflows"],
    events: new Set(events),
    aliases: new Set(["gitea", "forge", "forgejo"]),
    keys: new Set(["enable-email-notifications", "enable-openid-connect"]),
    secrets: new Set(["GITHUB_TOKEN", "GITEA_TOKEN", "FORGEJO_TOKEN"]),
    actions: "https://data.forgejo.org",
  },
} as const satisfies Record<string, WorkflowServer>;

/** The events of any server. */
export const allEvents: readonly string[] = [...workflowServers.gitea.events];

export type Product = keyof typeof workflowServers;

/** The folders of all servers, in their order. */
export const workflowFolders = workflowServers.forgejo.folders;

/** The files of which one makes a folder an action; a Dockerfile alone does, too. */
export const actionFiles = ["action.yml", "action.yaml"];

/** What runs an action on either server, in lower case, and the file that it needs beside a composite one. */
export const actionPrograms: Readonly<Record<string, "image" | "main" | undefined>> = {
  composite: undefined,
  docker: "image",
  go: "main",
  node12: "main",
  node16: "main",
  node20: "main",
  node24: "main",
  sh: "main",
};

/** What both servers take as a boolean beside true and false, without quotes: the words of YAML 1.1, as Go reads them. */
export const yamlBooleans: ReadonlySet<string> = new Set(
  ["y", "yes", "on", "n", "no", "off"].flatMap((word) => [
    word,
    word.toUpperCase(),
    `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`,
  ]),
);

/**
 * The keys whose values Gitea hands on to a job as they are written, without what is outside of the job, such as anchors
 * (modules/actions/jobparser/model.go of Gitea 1.26).
 */
export const giteaNodes = {
  job: new Set(["concurrency", "container", "env", "if", "needs", "permissions", "secrets"]),
  step: new Set(["env", "if"]),
} as const;

/** The events of which Gitea ignores the keys that it does not know; for others, such a key means that nothing starts. */
export const giteaLenient: ReadonlySet<string> = new Set([
  ...["create", "delete", "fork", "gollum", "schedule", "wiki", "workflow_call", "workflow_dispatch"],
]);

/** The keys of events, for what a wrong one may mean. */
export const eventKeys = [
  ...["branches", "branches-ignore", "tags", "tags-ignore", "paths", "paths-ignore", "types", "inputs", "secrets"],
  ...["outputs", "cron", "workflows"],
];

/** Where both servers take more contexts in expressions than GitHub, or where Forgejo's schema allows expressions at all. */
export const moreContexts: Readonly<Record<string, readonly string[]>> = {
  "job-if": ["env", "secrets"],
  "job-if-result": ["secrets"],
  "step-if": ["secrets"],
  "step-if-result": ["secrets"],
  container: ["env"],
  services: ["env"],
  "scalar-needs-context": ["env"],
  "workflow-env": ["env"],
};

/** Where Gitea alone takes more: its runner has all contexts when it sets variables. */
export const giteaContexts = { "workflow-env": ["runner"], "job-env": ["env", "runner"] } as const;
