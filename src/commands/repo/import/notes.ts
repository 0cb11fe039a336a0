import type { BaseContext } from "../../../app/context.ts";
import type { Item, Outcome } from "./plan.ts";

/** How many repositories a note names. */
const mostNamed = 10;

/** Names what is not at the source or differs from it, and what becomes of it. */
export function noteLeft(
  plan: readonly Item[],
  { prune, signedIn }: { readonly prune: boolean; readonly signedIn: boolean },
  { out }: BaseContext,
): void {
  const note = (what: string, action: Outcome["action"], end: string, holds: (item: Item) => boolean = () => true) => {
    const items = plan.filter((item) => item.row.action === action && holds(item));
    if (items.length === 0) return;
    const names = items
      .slice(0, mostNamed)
      .map(({ row: { repository, reason } }) =>
        action === "differs" || action === "moved" ? `${repository} (${reason})` : repository,
      );
    const more = items.length > mostNamed ? ` and ${items.length - mostNamed} more, which --plan lists` : "";
    out.note(`${what}: ${names.join(", ")}${more}. ${end}`);
  };
  const left = prune ? "Whether the filters cover them is not known: --prune leaves them." : "--prune archives them.";
  const isMirror = ({ existing }: Item) => existing?.mirror === true;
  const isThere = ({ isAt }: Item) => isAt !== undefined;
  const unseen = `Not visible ${signedIn ? "to the token for the source" : "without a token"}`;
  note("Not at the source any more", "vanished", left, (item) => !isMirror(item));
  note("Not at the source any more", "vanished", "Servers archive no mirrors.", isMirror);
  note("Not listed by their owner at the source", "unseen", "They are there; --prune leaves them.", isThere);
  note("Elsewhere at the source", "moved", "They are left as they are, and not imported again.");
  note(unseen, "unseen", "They are private at the source, or deleted; --prune leaves them.", (item) => !isThere(item));
  note("Different at the source", "differs", "What was imported before is left as it is.");
}
