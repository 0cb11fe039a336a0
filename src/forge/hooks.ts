import type { IgnoredField } from "../failure/failure.ts";
import type { Http } from "../http/client.ts";
import { hookAddress, maskValue } from "../http/mask.ts";
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
import type { EditHookOption } from "./generated/operations.ts";
import type { Level } from "./level.ts";
import { call, operation, pagesOf } from "./operation.ts";
import { readsParameter } from "./server-has.ts";
import { cannot, undoCreate, undoEdit } from "./undo.ts";

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
    created_at: optional(time),
    updated_at: optional(time),
    url: optional(string),
  },
  { content_type: optional(string), metadata: optional(anything) },
);

export type Hook = Infer<typeof hook>;

/** A webhook as it is printed, without secrets: what is masked was there. */
export function shownHook<H extends Hook>(hook: H): H {
  const { type, config, url } = hook;
  const address = config?.["url"];
  const shown: object = {
    ...Object(maskValue({ ...hook, config: null })),
    ...(url === undefined ? {} : { url: hookAddress(url, type) }),
    config: config && {
      ...Object(maskValue({ ...config })),
      ...(address === undefined ? {} : { url: hookAddress(address, type) }),
    },
  };
  return shown as H;
}

/** Webhooks of a repository, an organization, the caller or the server. */
const levels = ["repository", "organization", "user", "server"] as const;
type HookLevel = Extract<Level, { readonly of: (typeof levels)[number] }>;

/** `type` selects server-wide hooks (default: system); Forgejo ignores it. */
export const hookList = operation("GET", "{level}/hooks", { levels, answers: pagesOf(hook) });

export const hookGet = operation("GET", "{level}/hooks/{id}", { levels, answers: hook });

/** Servers drop events that they do not know, and settings of `config` that no hook of the type has. */
const applied = {
  reads: {
    events: (one: Hook, asked: unknown) =>
      missingEvents(asked as readonly string[], one).length === 0 ? asked : one.events,
  },
  except: {
    authorization_header: "a secret, which not all servers return",
    "config.secret": "a secret, which no server returns",
    "config.is_system_webhook": "kept apart from the others",
  },
  answered: ["name", "config"],
  hint(ignored: readonly IgnoredField[], stored: Hook) {
    const events = ignored.find(({ name }) => name === "events")?.requested as readonly string[] | undefined;
    const settings = ignored.flatMap(({ name }) => (name === "events" ? [] : name.replace("config.", "")));
    const missing = [...missingEvents(events ?? [], stored), ...settings].join(", ");
    return `The server does not support ${missing}. The webhook exists without it.`;
  },
} as const;

/** `active` is false by default. */
export const hookCreate = operation("POST", "{level}/hooks", {
  levels,
  answers: hook,
  undo: undoCreate(),
  applied,
});

/** Absent `events`, filter and header are cleared, so send all (docs/server-differences.md, "Hooks"). */
export const hookEdit = operation("PATCH", "{level}/hooks/{id}", {
  levels,
  answers: hook,
  undo: undoEdit({
    adjust: ({ old, request }) =>
      Array.isArray(old["events"]) && "events" in request.body
        ? { request: { ...request, body: { ...request.body, events: eventsToKeep(old["events"]) } } }
        : {},
  }),
  applied,
});

/** Edits a webhook. What servers would clear is sent as it is; settings of `config` are added to those that it has. */
export function editHook(http: Http, level: HookLevel, before: Hook, { config = {}, ...changed }: EditHookOption) {
  const { id, authorization_header: header } = before;
  return call(
    http,
    hookEdit,
    { level, id },
    {
      // The journal can undo an edit that does not repeat the address.
      config: Object.keys(config).length > 0 ? { ...before.config, ...config } : undefined,
      events: changed.events ?? eventsToKeep(before.events),
      branch_filter: changed.branch_filter ?? before.branch_filter,
      authorization_header: changed.authorization_header ?? (header === "" ? undefined : header),
      active: changed.active ?? before.active,
      name: changed.name ?? before.name,
    },
  );
}

export const hookDelete = operation("DELETE", "{level}/hooks/{id}", {
  levels,
  undo: "servers do not return the secret of a webhook",
});

/** Whether the list of the server can have its default webhooks, of which each new repository gets a copy. */
export function listsDefaultHooks(http: Http): Promise<boolean> {
  return readsParameter(http, { method: "GET", path: "/admin/hooks" }, "type");
}

/** Delivers a test event; only for hooks of repositories. */
export const hookTest = operation("POST", "/repos/{owner}/{repo}/hooks/{id}/tests", { undo: cannot.start });
/** A git hook of a repository: a script that the server runs on a push. */
export const gitHook = serverRecord("a git hook", {
  name: string,
  is_active: optional(boolean),
  content: optional(string),
});

export type GitHook = Infer<typeof gitHook>;

/** Git hooks of a repository. Needs the permission to edit git hooks, which the server can disable for everyone. */
export const gitHookList = operation("GET", "/repos/{owner}/{repo}/hooks/git", {
  answers: pagesOf(gitHook, { unpaged: true }),
});

export const gitHookGet = operation("GET", "/repos/{owner}/{repo}/hooks/git/{id}", { answers: gitHook });

export const gitHookEdit = operation("PATCH", "/repos/{owner}/{repo}/hooks/git/{id}", { answers: gitHook });

/** Empties the script, which deactivates the hook. */
export const gitHookDelete = operation("DELETE", "/repos/{owner}/{repo}/hooks/git/{id}");

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

/** All events of the servers, which silently ignore unknown ones (docs/server-differences.md, "Hooks"). */
export const hookEvents = [
  ..."create delete fork push repository release package wiki status workflow_run workflow_job".split(" "),
  ..."issues issues_only issue_assign issue_label issue_milestone issue_comment".split(" "),
  ..."pull_request pull_request_only pull_request_assign pull_request_label pull_request_milestone".split(" "),
  ..."pull_request_comment pull_request_review pull_request_sync pull_request_review_request".split(" "),
] as const;
