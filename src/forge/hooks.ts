import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { type Path, path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import {
  anything,
  boolean,
  type Infer,
  integer,
  list,
  map,
  nullable,
  optional,
  serverRecord,
  string,
  time,
} from "../shape/shape.ts";
import { hooksPath, type Level } from "./level.ts";

/** A webhook. `events` have no fixed order; secrets are never returned. */
export const hook = serverRecord(
  "a hook",
  {
    id: integer,
    name: optional(string),
    type: string,
    branch_filter: optional(string),
    config: optional(nullable(map(string))),
    events: optional(nullable(list(string))),
    authorization_header: optional(string),
    active: optional(boolean),
    updated_at: optional(time),
    created_at: time,
    url: optional(string),
    content_type: optional(string),
    metadata: optional(anything),
  },
  ["id", "name", "type", "branch_filter", "config", "events", "authorization_header", "active", "updated_at", "url"],
);

export type Hook = Infer<typeof hook>;

/** The body of `POST …/hooks`. `active` is false by default. */
export interface CreateHookOption {
  readonly type: string;
  readonly config: Readonly<Record<string, string>>;
  readonly events?: readonly string[] | undefined;
  readonly branch_filter?: string | undefined;
  readonly authorization_header?: string | undefined;
  readonly active?: boolean | undefined;
  readonly name?: string | undefined;
}

/**
 * The body of `PATCH …/hooks/{id}`. Absent `events`, filter and header are cleared, so send all
 * (docs/server-differences.md, "Hooks").
 */
export type EditHookOption = { readonly [K in keyof Omit<CreateHookOption, "type">]?: CreateHookOption[K] | undefined };

/** Webhooks of a repository, an organization, the caller or the server. */
export function hooksApi(http: Http) {
  return {
    /** `type` selects server-wide hooks (default: system); Forgejo ignores it. */
    list: (owner: Level, type?: "system" | "default" | "all") =>
      http.list(hooksPath(owner), { items: hook, query: { type }, unique: "id" }),

    get: (owner: Level, id: number) => http.get(one(owner, id), { answers: json(hook) }),

    create: (owner: Level, body: CreateHookOption) => http.post(hooksPath(owner), { body, answers: json(hook) }),

    edit: (owner: Level, id: number, body: EditHookOption) => http.patch(one(owner, id), { body, answers: json(hook) }),

    delete: (owner: Level, id: number) => http.delete(one(owner, id), { answers: nothing }),

    /** Delivers a test event; only for hooks of repositories. */
    test: (repo: RepoName, id: number, ref: string | undefined) =>
      http.post(path`/repos/${repo.owner}/${repo.name}/hooks/${id}/tests`, { query: { ref }, answers: nothing }),
  };
}

/** A git hook of a repository: a script that the server runs on a push. */
export const gitHook = serverRecord(
  "a git hook",
  { name: string, is_active: optional(boolean), content: optional(string) },
  ["name", "is_active", "content"],
);

export type GitHook = Infer<typeof gitHook>;

/** Git hooks of a repository. Needs the permission to edit git hooks, which the server can disable for everyone. */
export function gitHooksApi(http: Http) {
  const all = ({ owner, name }: RepoName) => path`/repos/${owner}/${name}/hooks/git`;
  const one = ({ owner, name }: RepoName, hook: string) => path`/repos/${owner}/${name}/hooks/git/${hook}`;

  return {
    list: (repo: RepoName) => http.list(all(repo), { items: gitHook, unpaged: true }),

    get: (repo: RepoName, hook: string) => http.get(one(repo, hook), { answers: json(gitHook) }),

    edit: (repo: RepoName, hook: string, content: string) =>
      http.patch(one(repo, hook), { body: { content }, answers: json(gitHook) }),

    /** Empties the script, which deactivates the hook. */
    delete: (repo: RepoName, hook: string) => http.delete(one(repo, hook), { answers: nothing }),
  };
}

/**
 * The events of a record, under the names that set the same events. `issues` and `pull_request` in a record are single
 * events, but groups in a request; and Forgejo returns names for reviews that it does not accept, of which
 * `pull_request_review_comment` belongs to `pull_request_comment` (docs/server-differences.md, "Hooks").
 */
export function eventsToKeep(events: readonly string[] | null | undefined): string[] {
  const listed = new Set(events ?? []);
  const words = [...listed].flatMap((event) => {
    if (event === "issues" || event === "pull_request") return [`${event}_only`];
    if (event === "pull_request_review_comment" && listed.has("pull_request_comment")) return [];
    return [/^pull_request_review_(approved|rejected|comment)$/.test(event) ? "pull_request_review" : event];
  });
  return [...new Set(words)];
}

/** The requested events that a hook does not have afterwards: servers drop those that they do not know. */
export function missingEvents(requested: readonly string[], { events }: Pick<Hook, "events">): string[] {
  const stored = eventsToKeep(events);
  const groups: Readonly<Record<string, string>> = { issues: "issue_", pull_request: "pull_request_" };
  return requested.filter((event) => {
    const stem = groups[event];
    if (stem === undefined) return !stored.includes(event);
    return !stored.some((one) => one === `${event}_only` || one.startsWith(stem));
  });
}

function one(owner: Level, id: number): Path {
  return `${hooksPath(owner)}/${id}` as Path;
}
