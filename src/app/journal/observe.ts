import { reasonOf } from "../../failure/disk.ts";
import { noteChange } from "../../failure/ignored.ts";
import { valueAt } from "../../forge/applied.ts";
import { currentUserPath } from "../../forge/read-paths.ts";
import { cutMark, fieldsOf, innerFields, isMasked } from "../../forge/undo.ts";
import type { Http, Observer, SentWrite } from "../../http/client.ts";
import { maskQuery, maskValue, maskWords } from "../../http/mask.ts";
import { addressText, type Server } from "../../profiles/server.ts";
import type { System } from "../../system/system.ts";
import { joinWords } from "../../text/words.ts";
import { type Command, journalWriter, type SentRequest } from "./store.ts";

/** How many responses are remembered: what was there before a write is not read twice. */
const maxReads = 2_000;

const maxText = 64 * 1024;

/** A command as it was typed, and the repository and the arguments that it is about. */
export interface Typed {
  readonly words: readonly string[];
  readonly typed: readonly string[];
  readonly about: readonly string[];
  readonly entry: JournalEntry;
}

/** The entry of a command, once it has sent a write; one for all repositories that it is run in. */
export interface JournalEntry {
  writer?: ReturnType<typeof journalWriter>;
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
  const writer = () => {
    const { entry } = typed();
    entry.writer ??= journalWriter(system);
    return entry.writer;
  };
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
  /** A write, with what is there before, as its undo needs it: from what the command read, or with a request. */
  async function look(sent: SentWrite, http: Http): Promise<SentRequest> {
    const { method, target, body } = sent;
    // Loaded only for writes: it has all operations.
    const { readerOf, writeOf } = await import("../../forge/past-writes.ts");
    const found = writeOf({ method, target, body: body ?? null });
    const unlessAborted = () => {
      if (system.signal.aborted) throw system.signal.reason;
      return undefined;
    };
    // The undo must not change the account of another one: that of a token is asked for.
    if (user === null && (found?.undo.byUser === true || target.startsWith(`${currentUserPath}/`)))
      user = loginIn(await readerOf(http, user, reads).record(currentUserPath).catch(unlessAborted));
    const before = await found?.undo.reads?.(found.write, readerOf(http, user, reads)).catch(unlessAborted);
    const request = { ...recorded(sent), before: kept(before) };
    const same = Object.keys(fieldsOf(body))
      .flatMap((name) => innerFields(name, fieldsOf(body)))
      .filter((name) => isMasked(valueAt(request.body, name)) && valueAt(body, name) === valueAt(before, name));
    return same.length === 0 ? request : { ...request, same };
  }
  return {
    read(target, value) {
      if (target === currentUserPath) user = loginIn(value) ?? user;
      reads.set(target, value);
      if (reads.size <= maxReads) return;
      const [oldest = ""] = reads.keys();
      reads.delete(oldest);
    },
    forget: () => reads.clear(),
    async foresee(sent, http) {
      const request = await look(sent, http);
      const { foreseen } = await import("./inverse.ts");
      return foreseen({ ...request, user });
    },
    async write(sent, http) {
      const request = await look(sent, http);
      const { changedSomething } = await import("./inverse.ts");
      const index = attempt(() =>
        writer().begin(
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
        const after = value === undefined || value === null ? {} : { after: kept(value) };
        if (status < 300) noteChange(changedSomething({ ...request, user, status, ...after }));
        if (index !== undefined) attempt(() => writer().end(index, { status, ...after }));
      };
    },
  };
}

function recorded({ method, target, body }: SentWrite) {
  return { method, path: maskQuery(target), body: kept(body ?? null) };
}

/** A value for the journal, as JSON has it: without secrets and long texts. */
function kept(value: unknown): unknown {
  const short = (_name: string, item: unknown) =>
    typeof item === "bigint" || typeof item === "string" ? cutText(String(item)) : item;
  return value === undefined ? undefined : JSON.parse(JSON.stringify(maskValue(value), short));
}

function cutText(text: string): string {
  return text.length > maxText ? cutMark : text;
}

function loginIn(user: unknown): string | null {
  const { login } = fieldsOf(user);
  return typeof login === "string" ? login : null;
}
