import type { BaseContext, ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { type Inverse, inverseOf } from "../../app/journal/inverse.ts";
import { readerOf } from "../../app/journal/state.ts";
import { type Entry, journalWriter } from "../../app/journal/store.ts";
import { one } from "../../command/args.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { ignoredError } from "../../failure/ignored.ts";
import { call } from "../../forge/operation.ts";
import { undoPast } from "../../forge/past-writes.ts";
import { currentUserPath } from "../../forge/read-paths.ts";
import { currentUserGet } from "../../forge/users.ts";
import type { Http } from "../../http/client.ts";
import { serverOf } from "../../profiles/choose.ts";
import { accountLabel, addressText } from "../../profiles/server.ts";
import { jsonText } from "../../text/json.ts";
import { entryShape, findEntry, shownEntry } from "./shared.ts";

/** `tongs journal undo`: sends the request that undoes a write, if nothing has changed since. */
export const undo = defineCommand({
  summary: "Undo a write",
  details:
    "Undoes edits, closes, renames, archiving, locks, pins, stars, follows, blocks, reactions, dependencies, and changes of " +
    "labels, milestones, assignees, reviewers, protections, access, settings, topics and variables, after a confirmation. " +
    "What was so already is not undone to the opposite. Refuses if what was written has changed since. --dry-run of a " +
    "command, and the question of one that deletes, say what cannot be undone.",
  on: "profiles",
  effect: "destroy",
  asTool: "destroy",
  args: { n: one("number of the entry") },
  output: entryShape,
  exits: { failure: "the server did not restore a field", refused: "it cannot be undone, or it has changed since" },
  examples: [["Undo a write", "tongs journal undo 12"]],
  async run(context) {
    const { args, options, out, prompt, system } = context;
    const entry = findEntry(args.n, system);
    const inverse = inverseOf(entry);
    if (typeof inverse === "string") {
      throw new Failure("not_undoable", `Entry ${entry.number} cannot be undone: ${inverse}`);
    }
    const { server, http } = await serverOfEntry(entry, context);
    await refuseOtherUser(entry, { server, http });
    await refuseIfChanged(entry, inverse, http);
    const { method, path, body } = inverse.request;
    if (!options.yes) out.note(`${method} ${path}${body === undefined ? "" : ` ${jsonText(body)}`}`);
    await prompt.confirmAction({
      what: `Undo entry ${entry.number} (${entry.command}) on ${entry.host}`,
      sends: undefined,
    });
    const answer = await undoPast(http, inverse.request);
    const lost = inverse.notRestored?.(answer) ?? [];
    if (lost.length > 0) throw ignoredError(lost, `the undo of entry ${entry.number}`);
    journalWriter(system).add({ number: entry.number, undone: true });
    const record = shownEntry({ ...entry, undone: true });
    await out.done(`Undid entry ${entry.number} (${entry.command}) ${accountLabel(server)}`, { record });
  },
});

/** The server that the write was sent to, as the same profile. Throws a usage error for another server. */
async function serverOfEntry(entry: Entry, context: BaseContext): Promise<ServerContext> {
  const { profiles, options } = context;
  const isChosen = options.profile !== undefined || options.host !== undefined || entry.profile === null;
  const server = isChosen
    ? await context.choose()
    : serverOf(profiles, profiles.read(), entry.profile, "the profile of the entry");
  const address = addressText(server.base);
  if (address === entry.host) return context.connectTo(server);
  throw new UsageError(
    `Entry ${entry.number} was sent to ${entry.host}, not to ${address}`,
    "Pass --profile or --host.",
  );
}

/** Throws a usage error if the write was to the account of a user, such as a star, and another one is signed in now. */
async function refuseOtherUser({ number, path, user }: Entry, { server, http }: ServerContext): Promise<void> {
  if (user === null || !path.startsWith(`${currentUserPath}/`)) return;
  const now = server.user ?? (await call(http, currentUserGet, {})).login;
  if (now === user) return;
  throw new UsageError(
    `Entry ${number} changed the account of ${user}, and you are signed in as ${now}`,
    "Pass --profile.",
  );
}

/** Throws a `Failure` if what the write left is not there as it was. */
async function refuseIfChanged(entry: Entry, { isAsLeft }: Inverse, http: Http): Promise<void> {
  if (await isAsLeft(readerOf(http, entry.user))) return;
  throw new Failure("changed_since", `Entry ${entry.number} cannot be undone: it has changed since`, {
    hint: `See: tongs journal view ${entry.number}`,
  });
}
