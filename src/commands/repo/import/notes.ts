import type { BaseContext } from "../../../app/context.ts";
import type { Item } from "./plan.ts";

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
