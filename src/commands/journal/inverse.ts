import { cutMark } from "../../app/journal/observe.ts";
import type { Entry } from "../../app/journal/store.ts";
import { type MatchedOperation, operationAt, pathOf } from "../../forge/all-operations.ts";
import { branchProtectionEdit } from "../../forge/branch-protections.ts";
import { eventsToKeep } from "../../forge/hooks.ts";
import { issueEdit } from "../../forge/issues.ts";
import type { Undo } from "../../forge/operation.ts";
import type { PastRequest } from "../../forge/past-writes.ts";
import { pullEdit } from "../../forge/pulls.ts";
import { repoEdit } from "../../forge/repo-settings.ts";
import { masked } from "../../http/mask.ts";
import { encodedName } from "../../text/percent.ts";

type Fields = Readonly<Record<string, unknown>>;

/** How a write is undone. */
export interface Inverse {
  readonly request: PastRequest;
  /** What must be at a path, or nothing has to be undone: the fields that were set, something, or nothing. */
  readonly expects: { readonly path: string } & (
    | { readonly fields: Fields }
    | { readonly is: "there" | "absent" }
    | { readonly item: string | number; readonly listed: boolean }
  );
}

/** How a write is undone, or why it cannot be. */
export function inverseOf(entry: Entry): Inverse | string {
  const { status, undone, path, body, before } = entry;
  if (undone) return "already undone";
  if (status === undefined) return "no response arrived";
  if (status >= 300) return `the server refused it (${status})`;
  const sent = operationAt(entry.method, path.replace(/\?.*$/, "").replace(api, ""));
  const undo = sent?.operation.undo;
  const isMasked = [path, ...textsIn(body)].some((text) => text.includes(masked));
  const isCreation = undo?.by === "delete" || (undo?.by === "variable" && entry.method === "POST");
  if (isMasked && (!isCreation || path.includes(masked))) return "it set a secret, which the journal does not have";
  const inverse = sent && undo && undoers[undo.by](entry, sent, undo);
  if (inverse === undefined)
    return before === undefined ? "the previous state was not recorded" : "this kind of write cannot be undone";
  const texts = isCreation ? [] : textsIn(inverse.request.body);
  if (texts.some((text) => text.includes(masked) || text === cutMark)) return "the recorded state is incomplete";
  return inverse;
}

const api = "/api/v1";

type Undoer = (entry: Entry, sent: MatchedOperation, undo: Undo) => Inverse | undefined;

const undoers: Readonly<Record<Undo["by"], Undoer>> = {
  delete: creation,
  rename,
  labels: issueLabels,
  opposite,
  topics,
  topic,
  collaborator,
  variable,
  restore: edit,
  create: removal,
};

/** A creation is undone by deleting. */
function creation({ path, after }: Entry, _sent: MatchedOperation, undo: Undo): Inverse | undefined {
  const created = fieldsOf(after);
  const name = undo.by === "delete" ? created[undo.key] : undefined;
  if (typeof name !== "string" && typeof name !== "number") return undefined;
  const own = `${path}/${encodedName(String(name))}`;
  return { request: { method: "DELETE", path: own }, expects: { path: own, fields: stable(created) } };
}

/**
 * A rename is undone by renaming back. The old name of an account redirects to it, whatever its name is now: another
 * account that has the new name since is not renamed.
 */
function rename({ body }: Entry, sent: MatchedOperation, undo: Undo): Inverse | undefined {
  if (undo.by !== "rename") return undefined;
  const now = fieldsOf(body)[undo.field];
  const [parameter, old] = [...sent.parameters].at(-1) ?? [];
  if (parameter === undefined || typeof now !== "string") return undefined;
  const renamed = api + pathOf(sent, { [parameter]: now });
  return {
    request: { method: sent.operation.method, path: renamed, body: { [undo.field]: old } },
    expects: { path: undo.at === undefined ? renamed : api + pathOf(sent, {}, undo.at), fields: { [undo.name]: now } },
  };
}

/** The labels of an issue are set as they were before; one that was removed is added. */
function issueLabels({ method, before, after }: Entry, sent: MatchedOperation): Inverse | undefined {
  const id = Number(sent.parameters.get("id"));
  const { labels } = fieldsOf(before);
  if (!Array.isArray(labels)) return undefined;
  const old = labels.map((one) => fieldsOf(one)["id"]);
  const issue = api + pathOf(sent, {}, issueEdit.path);
  const place = `${issue}/labels`;
  if (method === "DELETE" && old.includes(id)) {
    const request = { method: "POST" as const, path: place, body: { labels: [id] } };
    return { request, expects: { path: place, item: id, listed: false } };
  }
  if (sent.parameters.has("id") || !Array.isArray(after)) return undefined;
  return {
    request: { method: "PUT", path: place, body: { labels: old } },
    expects: { path: issue, fields: { labels: after } },
  };
}

/** PUT and DELETE at the same path undo each other. */
function opposite({ method, path }: Entry): Inverse {
  const isAdded = method === "PUT";
  return { request: { method: isAdded ? "DELETE" : "PUT", path }, expects: { path, is: isAdded ? "there" : "absent" } };
}

function topics({ path, body, before }: Entry): Inverse | undefined {
  const { topics } = fieldsOf(before);
  if (!Array.isArray(topics)) return undefined;
  return { request: { method: "PUT", path, body: { topics } }, expects: { path, fields: fieldsOf(body) } };
}

function topic({ method, path }: Entry, sent: MatchedOperation): Inverse {
  const list = path.slice(0, path.lastIndexOf("/"));
  return {
    request: { method: method === "PUT" ? "DELETE" : "PUT", path },
    expects: { path: list, item: sent.parameters.get("topic") ?? "", listed: method === "PUT" },
  };
}

function collaborator({ method, path, body, before }: Entry): Inverse | undefined {
  const { permission } = fieldsOf(before);
  const now = { path: `${path}/permission`, fields: { permission: fieldsOf(body)["permission"] } };
  if (method === "PUT" && before === null) return { request: { method: "DELETE", path }, expects: now };
  // An owner has this permission whatever a collaborator is given.
  if (permission === undefined || permission === "owner") return undefined;
  const request = { method: "PUT" as const, path, body: { permission } };
  return { request, expects: method === "PUT" ? now : { path, is: "absent" } };
}

function variable({ method, path, body, before }: Entry, sent: MatchedOperation): Inverse | undefined {
  const set = fieldsOf(body);
  if (method === "POST") {
    return { request: { method: "DELETE", path }, expects: { path, fields: { value: set["value"] } } };
  }
  if (before === undefined || before === null) return undefined;
  const { value, description } = fieldsOf(before);
  const back = { value, ...(description === undefined || description === "" ? {} : { description }) };
  if (method === "DELETE") return { request: { method: "POST", path, body: back }, expects: { path, is: "absent" } };
  const [parameter = "", old = ""] = [...sent.parameters].at(-1) ?? [];
  const name = set["name"];
  const isRenamed = typeof name === "string" && name !== "" && name.toUpperCase() !== old.toUpperCase();
  const place = isRenamed ? api + pathOf(sent, { [parameter]: name }) : path;
  return {
    request: { method: "PUT", path: place, body: isRenamed ? { ...back, name: old } : back },
    expects: { path: place, fields: { value: set["value"] } },
  };
}

/** An edit is undone by sending the fields that were there before. */
function edit(entry: Entry, sent: MatchedOperation, undo: Undo): Inverse | undefined {
  const { body, before, after } = entry;
  const now = fieldsOf(after);
  const old = before === undefined && isClosing(entry) ? { state: "open" } : fieldsOf(before);
  const names = Object.keys(fieldsOf(body)).map((name) => (name === "unset_due_date" ? "due_date" : name));
  if (names.length === 0 || names.some((name) => !Object.hasOwn(old, name) || !Object.hasOwn(now, name)))
    return undefined;
  // An account without a sign-in name signs in by its name, and servers require one of the two.
  const filled = old["login_name"] === "" ? { ...old, login_name: old["login"] } : old;
  const restored = names.map((name) => sentField(name, filled[name], sent));
  // The same name can belong to another one since, after the first was deleted.
  const set = ["id", ...names].filter((name) => Object.hasOwn(now, name)).map((name) => [name, now[name]]);
  const place = (template?: string) => api + pathOf(sent, newNames(sent, now), template);
  return {
    request: { method: "PATCH", path: place(), body: Object.fromEntries(restored) },
    expects: { path: place(undo.by === "restore" ? undo.at : undefined), fields: Object.fromEntries(set) },
  };
}

/** The names in the path that an edit changed: those of a repository, and of a branch protection. */
function newNames({ operation }: MatchedOperation, now: Fields): Readonly<Record<string, string>> {
  const { full_name: fullName, rule_name: rule } = now;
  if (operation === repoEdit && typeof fullName === "string") {
    const [owner = "", repo = ""] = fullName.split("/");
    return { owner, repo };
  }
  return operation === branchProtectionEdit && typeof rule === "string" ? { name: rule } : {};
}

/**
 * Whether a write closed what was open: the server sets the time at which it was closed only then. Its clock may differ
 * from ours by a minute.
 */
function isClosing({ at, body, after }: Entry): boolean {
  const names = Object.keys(fieldsOf(body));
  if (names.length !== 1 || fieldsOf(body)["state"] !== "closed") return false;
  const now = fieldsOf(after);
  const [closed, updated] = [now["closed_at"], now["updated_at"]].map((time) => Date.parse(String(time)));
  if (closed === undefined || updated === undefined) return false;
  return Math.abs(updated - closed) < 2_000 && Math.abs(closed - Date.parse(at)) < 60_000;
}

/** The field of a request that restores a field of a record; a null is ignored (docs/server-differences.md, "Issues"). */
function sentField(name: string, old: unknown, { operation }: MatchedOperation): [string, unknown] {
  const isIssue = operation === issueEdit || operation === pullEdit;
  return isIssue && name === "due_date" && old === null ? ["unset_due_date", true] : [name, asSent(name, old)];
}

/** The value that a request takes, of the one in a record. */
function asSent(field: string, value: unknown): unknown {
  // Records have null for no assignees, which a request ignores.
  if (field === "assignees" && value === null) return [];
  if (field === "milestone") return fieldsOf(value)["id"] ?? 0;
  if (field === "events" && Array.isArray(value)) return eventsToKeep(value.filter((one) => typeof one === "string"));
  if (!Array.isArray(value)) return value;
  return value.map((item: unknown) => fieldsOf(item)["login"] ?? fieldsOf(item)["id"] ?? item);
}

/** A protection that was deleted is created again: nothing else refers to it. */
function removal({ path, before }: Entry): Inverse | undefined {
  if (before === undefined || before === null) return undefined;
  const { id: _id, created_at: _made, updated_at: _edited, ...body } = fieldsOf(before);
  return {
    request: { method: "POST", path: path.slice(0, path.lastIndexOf("/")), body },
    expects: { path, is: "absent" },
  };
}

/** The fields of a record that others do not change by using it. */
function stable(record: Fields): Fields {
  const fixed = Object.entries(record).filter(
    ([name, value]) =>
      !/_at$|_issues$|^last_|url$/.test(name) &&
      (typeof value !== "object" || Array.isArray(value)) &&
      !textsIn(value).some((text) => text.includes(masked) || text === cutMark),
  );
  return Object.fromEntries(fixed);
}

/** The fields of an object; none for anything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
