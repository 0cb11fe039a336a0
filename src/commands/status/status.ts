import type { BaseContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { type Target, targetsOf } from "../../app/everywhere.ts";
import { Failure } from "../../failure/failure.ts";
import { type Cell, styled } from "../../output/cells.ts";
import { asFailure, reportTarget } from "../../output/report-failure.ts";
import { column } from "../../output/table.ts";
import { addressText, type Server, signInLine } from "../../profiles/server.ts";
import { list as listOf } from "../../shape/shape.ts";
import { partsOf, type StatusItem, statusItem } from "./items.ts";

/** How long the servers have to answer, in seconds, unless `--timeout` says otherwise. */
const defaultSeconds = 2;
/** The default number of items of each kind from each server. */
const defaultLimit = 20;

const kinds = {
  review_requested: { name: "review requested", style: "warn" },
  assigned: { name: "assigned", style: "plain" },
  failing: { name: "checks failing", style: "bad" },
  notification: { name: "notification", style: "dim" },
} as const;

const columns = [
  column<StatusItem>("REASON", "kind", (it) => styled(kinds[it.kind].style, kinds[it.kind].name)),
  column<StatusItem>("SERVER", "profile", { cell: (it) => it.profile ?? it.host, flexible: true }),
  column<StatusItem>("WHERE", "repository", { cell: (it) => styled("link", placeOf(it)), flexible: true }),
  column<StatusItem>("TITLE", "title", { cell: titleOf, flexible: true }),
  column<StatusItem>("UPDATED", "updated_at", { as: "time" }),
];

/** `tongs status`: what waits for the user on the servers of all profiles. */
export const status = defineCommand({
  summary: "Show what is waiting for you on all servers",
  details:
    "Lists open pull requests that request your review, open issues and pull requests assigned to you, your open pull " +
    "requests with failed checks, and unread notifications. Asks the servers of all profiles at the same time, or only " +
    "the one of --profile, --host, TONGS_PROFILE or TONGS_HOST. A server that does not respond within 2 seconds " +
    "(--timeout) is named and left out. --limit is the number of items of each kind from each server (default: 20).",
  on: "profiles",
  effect: "read",
  lists: ["item that is waiting for you", "items that are waiting for you"],
  output: listOf(statusItem),
  exits: { partly: "some servers did not respond, or only in part" },
  examples: [
    ["What is waiting for me", "tongs status"],
    [
      "The number of reviews requested from me",
      `tongs status --jq '[.[] | select(.kind == "review_requested")] | length'`,
    ],
  ],
  async run(context) {
    const { options, out, system } = context;
    const limit = options.all ? Number.POSITIVE_INFINITY : (options.limit ?? defaultLimit);
    const seconds = options.timeout ?? defaultSeconds;
    const targets = await targetsOf(context, "tongs status");
    const results = await Promise.all(targets.map((target) => ask(target, { limit, seconds }, context)));
    const items = Object.keys(kinds).flatMap((kind) =>
      results.flatMap((result) => result.items.filter((item) => item.kind === kind)),
    );
    const failed = results.flatMap(({ label, failures }) => failures.map((failure) => ({ label, failure })));
    const [first] = failed;
    const all = first !== undefined && results.every(({ answered }) => !answered);
    const noneAnswered = all && results.length === 1;
    if (!noneAnswered) await out.list(items, columns, { unlimited: true, none: "Nothing is waiting for you" });
    for (const { label, cut } of results) {
      if (cut && !out.records) out.note(`${label} has more. Use --limit N or --all to list more.`);
    }
    if (first === undefined) return undefined;
    if (noneAnswered && failed.length === 1) throw first.failure;
    for (const { label, failure } of failed) reportTarget(label, failure, { out, system });
    return all ? first.failure.exit : "partly";
  },
});

interface Result {
  readonly label: string;
  readonly items: readonly StatusItem[];
  /** Each reason once: all requests to a server that is down fail alike. */
  readonly failures: readonly Failure[];
  readonly answered: boolean;
  /** Whether there are more items than the limit. */
  readonly cut: boolean;
}

/** Asks one server. Failures are part of the result; throws only when the command is interrupted. */
async function ask(
  { label, server: open }: Target,
  { limit, seconds }: { readonly limit: number; readonly seconds: number },
  { connectTo, system }: BaseContext,
): Promise<Result> {
  try {
    const server = open();
    if ((await server.token()) === undefined) throw notSignedIn(server);
    const context = await connectTo(server);
    const late = new Failure("timeout", `No response within ${seconds} s`, {
      hint: "To wait longer, pass --timeout SECONDS.",
    });
    const ended = new AbortController();
    if (seconds > 0) setTimeout(() => ended.abort(late), seconds * 1000).unref();
    const settled = await Promise.allSettled(partsOf({ ...context, http: context.http.until(ended.signal) }, limit));
    if (system.signal.aborted) throw system.signal.reason;
    const parts = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    const failures = settled.flatMap((one) => (one.status === "rejected" ? [asFailure(one.reason)] : []));
    const byMessage = new Map(failures.map((failure) => [failure.message, failure]));
    return {
      label,
      items: parts.flatMap(({ items }) => items),
      failures: [...byMessage.values()],
      answered: parts.length > 0,
      cut: parts.some(({ cut }) => cut),
    };
  } catch (error) {
    if (system.signal.aborted) throw error;
    return { label, items: [], failures: [asFailure(error)], answered: false, cut: false };
  }
}

function notSignedIn(server: Server): Failure {
  const host = addressText(server.base);
  const hint = `Run: ${signInLine(server)}`;
  return new Failure("not_signed_in", `Not signed in to ${host}`, { hint });
}

/** `mara/harbor#12`, or the repository. */
function placeOf({ repository, number }: StatusItem): string {
  return `${repository ?? ""}${number === null ? "" : `#${number}`}`;
}

function titleOf({ title, checks }: StatusItem): Cell {
  return checks.length === 0 ? title : `${title} (${checks.join(", ")})`;
}
