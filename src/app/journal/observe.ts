import { reasonOf } from "../../failure/disk.ts";
import { noteChange } from "../../failure/ignored.ts";
import { currentUserPath } from "../../forge/read-paths.ts";
import type { Http, Observer, SentWrite } from "../../http/client.ts";
import { maskQuery, maskValue, maskWords } from "../../http/mask.ts";
import { addressText, type Server } from "../../profiles/server.ts";
import type { System } from "../../system/system.ts";
import { joinWords } from "../../text/words.ts";
import { type Command, cutMark, journalWriter } from "./store.ts";

/** How many responses are remembered: what was there before a write is not read twice. */
const maxReads = 2_000;

const maxText = 64 * 1024;

/** A command as it was typed, and the repository and the arguments that it is about. */
export interface Typed {
  readonly words: readonly string[];
  readonly typed: readonly string[];
  readonly about: readonly string[];
}

interface Needs {
  readonly system: System;
  readonly warn: (message: string) => void;
}

/**
 * Records the writes of a command: each before it is sent, with what is there as its undo needs it, and again with its
 * response. A journal that cannot be written is a warning: the write itself is what was asked for.
 */
export function openJournal(typed: () => Typed, server: Server, { system, warn }: Needs): Observer {
  const reads = new Map<string, unknown>();
  const writer = journalWriter(system);
  const attempt = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      warn(`Could not write the journal: ${reasonOf(error)}`);
      return undefined;
    }
  };
  const command = (): Pick<Command, "command" | "line" | "about"> => {
    const { words, typed: given, about } = typed();
    const line = joinWords(["tongs", ...words, ...maskWords(given)].map(cutText));
    return { command: words.join(" "), line, about: maskWords(about).map(cutText).join(" ") };
  };
  let user = server.user ?? null;
  /**
   * The write, or why it cannot be undone, and what is there, from what the command read or with a request; undefined if
   * that cannot be known.
   */
  async function look({ method, target, body }: SentWrite, http: Http) {
    // Loaded only for writes: it has all operations.
    const { isSoAlready, readerOf, replacedBy, stateOf, whyNot, writeOf } = await import("./state.ts");
    const write = writeOf(method, target, body ?? null);
    const unlessAborted = () => {
      if (system.signal.aborted) throw system.signal.reason;
      return undefined;
    };
    // The undo must not change the account of another one: that of a token is asked for.
    const own = typeof write !== "string" && write.undo.by === "restore" && write.undo.own !== undefined;
    if (user === null && typeof write !== "string" && (own || target.startsWith(`${currentUserPath}/`)))
      user = loginIn(await readerOf(http, user, reads).record(currentUserPath).catch(unlessAborted));
    const reader = readerOf(http, user, reads);
    if (typeof write === "string") {
      const so = (await isSoAlready(method, target, reader).catch(unlessAborted)) === true;
      const replaced = kept(target, await replacedBy(method, target, body, reader).catch(unlessAborted));
      return { write: whyNot(method, target, body, replaced) ?? write, so, before: replaced };
    }
    const before = await stateOf(write, reader).catch(unlessAborted);
    return { write, before: kept(write.path, before) };
  }
  return {
    read(target, value) {
      if (target === currentUserPath) user = loginIn(value) ?? user;
      reads.set(target, value);
      if (reads.size <= maxReads) return;
      const [oldest = ""] = reads.keys();
      reads.delete(oldest);
    },
    async foresee(sent, http) {
      const { write, before } = await look(sent, http);
      if (typeof write === "string") return { cannot: write };
      const { foreseen } = await import("./inverse.ts");
      return foreseen(write, { body: kept(write.path, sent.body ?? null), before, user });
    },
    async write(sent, http) {
      const { before, so = false } = await look(sent, http);
      const { changedSomething } = await import("./inverse.ts");
      const path = maskQuery(sent.target);
      const body = kept(withoutQuery(sent.target), sent.body ?? null);
      const request = { method: sent.method, path, body, before };
      const index = attempt(() =>
        writer.begin(
          {
            at: system.now().toISOString(),
            ...command(),
            host: addressText(server.base),
            profile: server.profile ?? null,
            user,
            ...(server.administrator === undefined ? {} : { administrator: server.administrator }),
          },
          request,
        ),
      );
      return ({ status, value }) => {
        // What was read before can have changed.
        reads.clear();
        const after = value === undefined || value === null ? {} : { after: kept(withoutQuery(sent.target), value) };
        if (status < 300) noteChange(!so && changedSomething({ ...request, user, status, ...after }));
        if (index !== undefined) attempt(() => writer.end(index, { status, ...after }));
      };
    },
  };
}

function withoutQuery(target: string): string {
  return target.split("?", 1)[0] ?? "";
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

function cutText(text: string): string {
  return text.length > maxText ? cutMark : text;
}

function cut(value: unknown): unknown {
  if (typeof value === "string") return cutText(value);
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
