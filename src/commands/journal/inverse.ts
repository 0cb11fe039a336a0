import { cutMark } from "../../app/journal/observe.ts";
import type { Entry } from "../../app/journal/store.ts";
import { eventsToKeep } from "../../forge/hooks.ts";
import type { PastRequest } from "../../forge/past-writes.ts";
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
  if (undone) return "it was undone";
  if (status === undefined) return "no response arrived";
  if (status >= 300) return `the server refused it (${status})`;
  const created = path.includes(masked) ? undefined : creation(entry);
  if (created !== undefined) return created;
  if ([path, ...textsIn(body)].some((text) => text.includes(masked)))
    return "it set a secret, which the journal does not have";
  const inverse = rename(entry) ?? issueLabels(entry) ?? pair(entry) ?? edit(entry) ?? removal(entry);
  if (inverse === undefined)
    return before === undefined ? "what was there before was not read" : "this kind of write cannot be undone";
  const texts = textsIn(inverse.request.body);
  if (texts.some((text) => text.includes(masked) || text === cutMark))
    return "the journal does not have all that was there before";
  return inverse;
}

/** The kinds of things that are created in a collection and can be deleted again. */
const collection = /\/(labels|milestones|hooks|branch_protections|tag_protections)$/;

/** A creation is undone by deleting. */
function creation({ method, path, body, after }: Entry): Inverse | undefined {
  if (method !== "POST") return undefined;
  if (/\/actions\/variables\/[^/]+$/.test(path)) {
    const { value } = fieldsOf(body);
    return { request: { method: "DELETE", path }, expects: { path, fields: { value } } };
  }
  // The labels of an issue are in a list of the same name.
  if (!collection.test(path) || /\/issues\/\d+\/labels$/.test(path)) return undefined;
  const created = fieldsOf(after);
  const name = path.endsWith("/branch_protections") ? created["rule_name"] : created["id"];
  if (typeof name !== "string" && typeof name !== "number") return undefined;
  const own = `${path}/${encodedName(String(name))}`;
  return { request: { method: "DELETE", path: own }, expects: { path: own, fields: stable(created) } };
}

/** Renames that are no edit of a record: where, the field with the new name, and where what is renamed has which name. */
const renames = [
  {
    method: "POST",
    path: /^(\/api\/v1\/admin\/users\/)([^/]+)(\/rename)$/,
    field: "new_username",
    at: "/api/v1/users/",
    name: "login",
  },
  {
    method: "POST",
    path: /^(\/api\/v1\/orgs\/)([^/]+)(\/rename)$/,
    field: "new_name",
    at: "/api/v1/orgs/",
    name: "name",
  },
  {
    method: "PATCH",
    path: /^(\/api\/v1\/repos\/[^/]+\/[^/]+\/branches\/)(.+)()$/,
    field: "name",
    at: undefined,
    name: "name",
  },
] as const;

/**
 * A rename is undone by renaming back. The old name of an account redirects to it, whatever its name is now: another
 * account that has the new name since is not renamed.
 */
function rename({ method, path, body }: Entry): Inverse | undefined {
  for (const one of renames) {
    const [, before = "", old, after = ""] = method === one.method ? (one.path.exec(path) ?? []) : [];
    const now = fieldsOf(body)[one.field];
    if (old === undefined || typeof now !== "string") continue;
    const name = now.split("/").map(encodedName).join("/");
    const back = { [one.field]: old.split("/").map(decodeURIComponent).join("/") };
    return {
      request: { method: one.method, path: `${before}${name}${after}`, body: back },
      expects: { path: one.at === undefined ? `${before}${name}` : `${one.at}${old}`, fields: { [one.name]: now } },
    };
  }
  return undefined;
}

/** The labels of an issue are set as they were before; one that was removed is added. */
function issueLabels({ method, path, before, after }: Entry): Inverse | undefined {
  const [, issue, id] = /^(.*\/issues\/\d+)\/labels(?:\/(\d+))?$/.exec(path) ?? [];
  const { labels } = fieldsOf(before);
  if (issue === undefined || !Array.isArray(labels)) return undefined;
  const old = labels.map((one) => fieldsOf(one)["id"]);
  const place = `${issue}/labels`;
  if (method === "DELETE" && id !== undefined && old.includes(Number(id))) {
    const request = { method: "POST" as const, path: place, body: { labels: [Number(id)] } };
    return { request, expects: { path: place, item: Number(id), listed: false } };
  }
  if (id !== undefined || !Array.isArray(after)) return undefined;
  return {
    request: { method: "PUT", path: place, body: { labels: old } },
    expects: { path: issue, fields: { labels: after } },
  };
}

/** Paths that PUT adds and DELETE removes. */
const switches =
  /\/user\/(starred\/[^/]+|following)\/[^/]+$|\/repos\/[^/]+\/[^/]+\/(subscription|teams\/[^/]+)$|\/teams\/\d+\/(members\/[^/]+|repos\/[^/]+\/[^/]+)$/;

/** PUT and DELETE at the same path undo each other. */
function pair({ method, path, body, before }: Entry): Inverse | undefined {
  if (method !== "PUT" && method !== "DELETE") return undefined;
  const other = method === "PUT" ? "DELETE" : "PUT";
  if (switches.test(path)) {
    return { request: { method: other, path }, expects: { path, is: method === "PUT" ? "there" : "absent" } };
  }
  const { topics } = fieldsOf(before);
  if (method === "PUT" && path.endsWith("/topics") && Array.isArray(topics)) {
    return { request: { method, path, body: { topics } }, expects: { path, fields: fieldsOf(body) } };
  }
  const topic = /^(.*\/topics)\/([^/]+)$/.exec(path);
  if (topic?.[1] !== undefined) {
    const expects = { path: topic[1], item: decodeURIComponent(topic[2] ?? ""), listed: method === "PUT" };
    return { request: { method: other, path }, expects };
  }
  if (/\/collaborators\/[^/]+$/.test(path)) {
    const { permission } = fieldsOf(before);
    const now = { path: `${path}/permission`, fields: { permission: fieldsOf(body)["permission"] } };
    if (method === "PUT" && before === null) return { request: { method: "DELETE", path }, expects: now };
    // An owner has this permission whatever a collaborator is given.
    if (permission === undefined || permission === "owner") return undefined;
    const request = { method: "PUT" as const, path, body: { permission } };
    return { request, expects: method === "PUT" ? now : { path, is: "absent" } };
  }
  if (!/\/actions\/variables\/[^/]+$/.test(path) || before === undefined || before === null) return undefined;
  const { value, description } = fieldsOf(before);
  const back = { value, ...(description === undefined || description === "" ? {} : { description }) };
  if (method === "DELETE") return { request: { method: "POST", path, body: back }, expects: { path, is: "absent" } };
  const set = fieldsOf(body);
  const [name, old] = [set["name"], decodeURIComponent(path.slice(path.lastIndexOf("/") + 1))];
  const isRenamed = typeof name === "string" && name !== "" && name.toUpperCase() !== old.toUpperCase();
  const place = isRenamed ? path.replace(/[^/]+$/, encodedName(name)) : path;
  return {
    request: { method: "PUT", path: place, body: isRenamed ? { ...back, name: old } : back },
    expects: { path: place, fields: { value: set["value"] } },
  };
}

/** An edit is undone by sending the fields that were there before. */
function edit(entry: Entry): Inverse | undefined {
  const { method, path, body, before, after } = entry;
  if (method !== "PATCH") return undefined;
  const now = fieldsOf(after);
  const old = before === undefined && isClosing(entry) ? { state: "open" } : fieldsOf(before);
  const names = Object.keys(fieldsOf(body)).map((name) => (name === "unset_due_date" ? "due_date" : name));
  if (names.length === 0 || names.some((name) => !Object.hasOwn(old, name) || !Object.hasOwn(now, name)))
    return undefined;
  // An account without a sign-in name signs in by its name, and servers require one of the two.
  const filled = old["login_name"] === "" ? { ...old, login_name: old["login"] } : old;
  const restored = names.map((name) => sentField(name, filled[name], path));
  // The same name can belong to another one since, after the first was deleted.
  const set = ["id", ...names].filter((name) => Object.hasOwn(now, name)).map((name) => [name, now[name]]);
  // A repository that was renamed is at its new name.
  const isRepo = /^\/api\/v1\/repos\/[^/]+\/[^/]+$/.test(path) && typeof now["full_name"] === "string";
  const place = isRepo ? `/api/v1/repos/${now["full_name"]}` : renamedRule(path, now);
  return {
    request: { method: "PATCH", path: place, body: Object.fromEntries(restored) },
    // Administrators edit users where they cannot be read.
    expects: { path: place.replace("/api/v1/admin/users/", "/api/v1/users/"), fields: Object.fromEntries(set) },
  };
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

function renamedRule(path: string, now: Fields): string {
  const at = path.replace(/\?.*$/, "");
  const rule = now["rule_name"];
  return typeof rule === "string" ? at.replace(/[^/]+$/, encodedName(rule)) : at;
}

/** The field of a request that restores a field of a record; a null is ignored (docs/server-differences.md, "Issues"). */
function sentField(name: string, old: unknown, path: string): [string, unknown] {
  const isIssue = /\/(issues|pulls)\/\d+$/.test(path);
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
function removal({ method, path, before }: Entry): Inverse | undefined {
  const found = /^(.*\/(?:branch|tag)_protections)\/[^/]+$/.exec(path);
  if (method !== "DELETE" || found?.[1] === undefined || before === undefined || before === null) return undefined;
  const { id: _id, created_at: _made, updated_at: _edited, ...body } = fieldsOf(before);
  return { request: { method: "POST", path: found[1], body }, expects: { path, is: "absent" } };
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
