import type { BaseContext, ServerContext } from "../../../app/context.ts";
import { type Repository, repoDelete } from "../../../forge/repos.ts";
import { addressText } from "../../../profiles/server.ts";
import { originOf } from "./at-source.ts";
import { type Item, isIncomplete, mostOfOthers } from "./plan.ts";
import type { Source } from "./source.ts";
import { type ImportJob, isYoung } from "./work.ts";

/** Says how to continue after an interruption or a failure. */
export function noteUnfinished(
  { running, continuing, usesVariable }: Pick<ImportJob, "running" | "continuing" | "usesVariable">,
  { out, system }: BaseContext,
): void {
  const isInterrupted = system.signal.aborted;
  if (isInterrupted && running.size > 0) out.note(`The server may go on to copy ${[...running].join(", ")}`);
  const how = usesVariable ? ", with TONGS_SOURCE_TOKEN set," : ",";
  out.note(`${isInterrupted ? "Interrupted. To continue" : "To try again"}${how} run: ${continuing}`);
}

/** Names what is not at the source or differs from it, and what becomes of it. */
export function noteLeft(
  plan: readonly Item[],
  { prune, signedIn }: { readonly prune: boolean; readonly signedIn: boolean },
  { out }: BaseContext,
): void {
  const vanished = plan.filter(({ row }) => row.action === "vanished");
  const gone = (chosen: readonly Item[], end: string) => noteNamed("Not at the source any more", chosen, end, out);
  const others = vanished.filter(({ existing }) => existing?.mirror !== true);
  gone(others, prune ? "Whether the filters cover them is not known: --prune leaves them." : "--prune archives them.");
  gone(
    vanished.filter(({ existing }) => existing?.mirror === true),
    "Servers archive no mirrors.",
  );
  const unseen = `Not visible ${signedIn ? "to the token for the source" : "without a token"}`;
  const notSeen = plan.filter(({ row }) => row.action === "unseen");
  const unlisted = notSeen.filter(({ isAt }) => isAt !== undefined);
  const isUnseen = notSeen.filter(({ isAt }) => isAt === undefined);
  noteNamed("Not listed by their owner at the source", unlisted, "They are there; --prune leaves them.", out);
  const moved = plan.filter(({ row }) => row.action === "moved");
  noteNamed("Elsewhere at the source", moved, "They are left as they are, and not imported again.", out);
  noteNamed(unseen, isUnseen, "They are private at the source, or deleted; --prune leaves them.", out);
  const differing = plan.filter(({ row }) => row.action === "differs");
  noteNamed("Different at the source", differing, "What was imported before is left as it is.", out);
}

/** Says that the source was not asked where the copies from other owners of its server are now: they are too many. */
export function noteUnasked(
  plan: readonly Item[],
  here: readonly Repository[],
  { below, server }: Pick<Source, "below" | "server">,
  { out }: BaseContext,
): void {
  if (below === undefined || server === undefined || !plan.some(({ row }) => row.action === "import")) return;
  const known = new Set(plan.map(({ row }) => row.repository));
  const others = here.filter(({ full_name, original_url = "" }) => {
    const origin = originOf(original_url);
    return origin.startsWith(server) && !origin.startsWith(below) && !known.has(full_name);
  });
  if (others.length <= mostOfOthers) return;
  out.note(
    `Not looked up at the source: ${others.length} repositories here, from other owners. One that has another owner and name now is imported again.`,
  );
}

/** How many repositories a note names. */
const mostNamed = 10;

function noteNamed(what: string, items: readonly Item[], end: string, out: BaseContext["out"]): void {
  if (items.length === 0) return;
  const names = items
    .slice(0, mostNamed)
    .map(({ row: { action, repository, reason } }) =>
      action === "differs" || action === "moved" ? `${repository} (${reason})` : repository,
    );
  const more = items.length > mostNamed ? ` and ${items.length - mostNamed} more, which --plan lists` : "";
  out.note(`${what}: ${names.join(", ")}${more}. ${end}`);
}

/** Asks before anything is removed, or archived; before anything is waited for, too. Says then what is waited for. */
export async function confirm(
  plan: readonly Item[],
  job: Pick<ImportJob, "settings" | "wait">,
  context: BaseContext & ServerContext,
): Promise<void> {
  const { prompt, out, server } = context;
  const incomplete = plan.filter((item) => isIncomplete(item));
  const young = plan.filter((item) => isYoung(item, job, context));
  const archived = plan.filter(({ row }) => row.action === "archive");
  const names = (chosen: readonly Item[]) => chosen.map(({ row }) => row.repository).join(", ");
  const where = `on ${addressText(server.base)}`;
  const count = (chosen: readonly Item[]) => (chosen.length === 1 ? "1 repository" : `${chosen.length} repositories`);
  const made = incomplete.filter(({ isGone }) => isGone !== true);
  const gone = incomplete.filter(({ isGone }) => isGone === true);
  if (made.length > 0) {
    out.note(`Incomplete: ${names(made)}`);
    const still = young.length === 0 ? "" : " that may still be copied, if nothing comes of that,";
    const what = `Remove ${count(made)} ${where}${still} and import again`;
    await prompt.confirmAction({ what, sends: repoDelete });
  }
  if (gone.length > 0) {
    out.note(`Incomplete, and not visible at the source: ${names(gone)}`);
    await prompt.confirmAction({ what: `Remove ${count(gone)} ${where}`, sends: repoDelete });
  }
  if (archived.length > 0) {
    out.note(`Not at the source any more: ${names(archived)}`);
    await prompt.confirmAction({ what: `Archive ${count(archived)} ${where}`, sends: undefined });
  }
  if (young.length > 0)
    out.note(`Waiting up to ${job.wait / 1000} s for ${names(young)}, which the server may still be copying`);
}
