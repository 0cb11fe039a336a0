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
  record,
  string,
  time,
} from "../shape/shape.ts";
import { hooksPath, type Level } from "./level.ts";

/** A webhook. `events` come in random order; secrets are never answered (api-facts 3.6.18). */
export const hook = record({
  id: integer,
  name: optional(string),
  type: string,
  branch_filter: string,
  config: nullable(map(string)),
  events: nullable(list(string)),
  authorization_header: string,
  active: boolean,
  updated_at: time,
  created_at: time,
  url: optional(string),
  content_type: optional(string),
  metadata: optional(anything),
});

export type Hook = Infer<typeof hook>;

/** What creates a hook. `active` is false unless said otherwise. */
export interface CreateHookOption {
  readonly type: string;
  readonly config: Readonly<Record<string, string>>;
  readonly events?: readonly string[] | undefined;
  readonly branch_filter?: string | undefined;
  readonly authorization_header?: string | undefined;
  readonly active?: boolean | undefined;
  readonly name?: string | undefined;
}

/** What changes one. The server empties `events`, the filter and the header when they are left out: send all. */
export type EditHookOption = { readonly [K in keyof Omit<CreateHookOption, "type">]?: CreateHookOption[K] | undefined };

/** Webhooks of a repository, an organization, the caller or the whole server (api-facts 3.2, 3.6.18). */
export const hooks = (http: Http) => ({
  /** On the server, system hooks unless `type` says otherwise; Forgejo ignores it. */
  list: (owner: Level, type?: "system" | "default" | "all") =>
    http.list<Hook>(hooksPath(owner), { query: { type }, unique: "id" }),

  get: (owner: Level, id: number) => http.get(one(owner, id), { answers: json<Hook>() }),

  create: (owner: Level, body: CreateHookOption) => http.post(hooksPath(owner), { body, answers: json<Hook>() }),

  edit: (owner: Level, id: number, body: EditHookOption) => http.patch(one(owner, id), { body, answers: json<Hook>() }),

  delete: (owner: Level, id: number) => http.delete(one(owner, id), { answers: nothing }),

  /** Delivers a test event; only repositories have it. */
  test: (repo: RepoName, id: number, ref: string | undefined) =>
    http.post(path`/repos/${repo.owner}/${repo.name}/hooks/${id}/tests`, { query: { ref }, answers: nothing }),
});

/**
 * The events of a record in the words that set just these again. Records spell out what `issues` and `pull_request`
 * stand for, but those two words stand for all kinds when they are sent; and Forgejo shows reviews by their outcome,
 * in words that it does not take (api-facts 5.1).
 */
export function eventsToKeep(events: readonly string[] | null): string[] {
  const words = (events ?? []).map((event) => {
    if (event === "issues" || event === "pull_request") return `${event}_only`;
    return /^pull_request_review_(approved|rejected|comment)$/.test(event) ? "pull_request_review" : event;
  });
  return [...new Set(words)];
}

function one(owner: Level, id: number): Path {
  return `${hooksPath(owner)}/${id}` as Path;
}
