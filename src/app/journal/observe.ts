import { reasonOf } from "../../failure/disk.ts";
import { currentUserPath, isTeamList, recordPaths, teamsPath } from "../../forge/read-paths.ts";
import type { Observer, SentWrite } from "../../http/client.ts";
import { maskQuery, maskValue } from "../../http/mask.ts";
import { decoded } from "../../http/path.ts";
import { addressText, type Server } from "../../profiles/server.ts";
import type { System } from "../../system/system.ts";
import { journalWriter } from "./store.ts";

/** How many responses are remembered, to find what was there before a write. */
const maxReads = 2_000;

/** Written in place of text that is too long. */
export const cutMark = "(too long for the journal)";
const maxText = 64 * 1024;

interface Needs {
  readonly system: System;
  readonly warn: (message: string) => void;
}

/**
 * Records the writes of a command: each before it is sent, with what the command read at the same place, and again with
 * its response. A journal that cannot be written is a warning: the write itself is what was asked for.
 */
export function openJournal(command: string, server: Server, { system, warn }: Needs): Observer {
  const reads = new Map<string, unknown>();
  const writer = journalWriter(system);
  const attempt = async <T>(work: () => Promise<T> | T): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (system.signal.aborted) throw system.signal.reason;
      warn(`Could not write the journal: ${reasonOf(error)}`);
      return undefined;
    }
  };
  return {
    read(target, value) {
      const path = withoutQuery(target);
      const known = reads.get(path);
      // The pages of a list are one list.
      reads.set(path, Array.isArray(known) && Array.isArray(value) ? [...known, ...value] : value);
      if (reads.size <= maxReads) return;
      const [oldest = ""] = reads.keys();
      reads.delete(oldest);
    },
    async write(sent) {
      const path = withoutQuery(sent.target);
      const before = beforeOf(path, reads);
      const number = await attempt(() =>
        writer.begin({
          at: system.now().toISOString(),
          command,
          host: addressText(server.base),
          profile: server.profile ?? null,
          user: server.user ?? loginIn(reads.get(currentUserPath)),
          method: sent.method,
          path: maskQuery(sent.target),
          body: kept(path, bodyOf(sent)),
          ...(before === undefined ? {} : { before: kept(path, before) }),
        }),
      );
      return ({ status, value }) => {
        // What was read before is no longer so.
        reads.delete(path);
        if (number === undefined) return;
        const after = value === undefined || value === null ? {} : { after: kept(path, value) };
        void attempt(() => writer.add({ number, status, ...after }));
      };
    },
  };
}

function bodyOf({ body }: SentWrite): unknown {
  return body ?? null;
}

function withoutQuery(target: string): string {
  return target.split("?", 1)[0] ?? "";
}

/** What the command read of what a write changes: the record, or the item of a list. Null if a list does not have it. */
function beforeOf(path: string, reads: ReadonlyMap<string, unknown>): unknown {
  const [above = "", last = ""] = [path.slice(0, path.lastIndexOf("/")), path.slice(path.lastIndexOf("/") + 1)];
  const exact = recordPaths(path).find((candidate) => isRecord(reads.get(candidate)));
  if (exact !== undefined) return reads.get(exact);
  if (above === teamsPath) return teamIn(reads, last);
  const list = listIn(reads.get(above));
  if (list === undefined) return undefined;
  const collection = above.slice(above.lastIndexOf("/") + 1);
  const name = decoded(last).toLowerCase();
  return list.find((item) => nameOf(item, collection) === name) ?? null;
}

/** A team by its ID, in the lists that were read. */
function teamIn(reads: ReadonlyMap<string, unknown>, id: string): unknown {
  const lists = [...reads].flatMap(([path, value]) => {
    if (!isTeamList(path)) return [];
    return [value, ...(isRecord(value) ? Object.values(Object(value)) : [])].filter(Array.isArray).flat();
  });
  return lists.find((item: unknown) => nameOf(item) === id);
}

function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A list, or the list in an envelope: `{"topics": []}`. */
function listIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== "object" || value === null) return undefined;
  const [only, ...more] = Object.values(value);
  return more.length === 0 && Array.isArray(only) ? only : undefined;
}

/** The fields that name the items of a list in a path, where that is not the ID. */
const nameFields: ReadonlyMap<string, string> = new Map([
  ["issues", "number"],
  ["pulls", "number"],
  ["users", "login"],
  ["collaborators", "login"],
  ["members", "login"],
  ["public_members", "login"],
  ["following", "login"],
  ["orgs", "name"],
  // Those of a repository.
  ["teams", "name"],
  ["tags", "name"],
]);

/**
 * What an item of a list is called in a path, in lower case: by the field of its collection, or else by its ID, or its name
 * if it has none. The name of one item can be the ID of another.
 */
function nameOf(item: unknown, collection = ""): string | undefined {
  if (typeof item === "string") return item.toLowerCase();
  if (typeof item !== "object" || item === null) return undefined;
  const found = new Map<string, unknown>(Object.entries(item));
  const field = nameFields.get(collection) ?? ["id", "rule_name", "name"].find((one) => found.has(one)) ?? "";
  const value = found.get(field);
  return typeof value === "string" || typeof value === "number" ? String(value).toLowerCase() : undefined;
}

/**
 * A value for the journal: without secrets and long texts. The value of a variable is not a secret, though it is in
 * `data`.
 */
function kept(path: string, value: unknown): unknown {
  const isVariable = /\/actions\/variables\/[^/]+$/.test(path);
  if (!isVariable || typeof value !== "object" || value === null || !("data" in value)) return cut(maskValue(value));
  const { data, ...rest } = value;
  return cut({ ...rest, value: data });
}

function cut(value: unknown): unknown {
  if (typeof value === "string") return value.length > maxText ? cutMark : value;
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.map(cut);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cut(item)]));
}

function loginIn(user: unknown): string | null {
  return typeof user === "object" && user !== null && "login" in user && typeof user.login === "string"
    ? user.login
    : null;
}
