import type { Repository } from "../../../forge/repos.ts";
import { column } from "../../../output/table.ts";
import { boolean, type Infer, optional, record, string, words } from "../../../shape/shape.ts";
import type { ImportSettings } from "./settings.ts";
import { originOf, type Source, type Wanted } from "./source.ts";

/** What becomes of a repository, planned or done. */
export const outcome = record({
  source: string,
  /** `fleet/harbor`, on the server. */
  repository: string,
  action: words(
    ...(["import", "finish", "archive", "vanished", "conflict", "unchanged"] as const),
    ...(["imported", "finished", "archived"] as const),
  ),
  private: optional(boolean),
  archived: optional(boolean),
  reason: optional(string),
});
export type Outcome = Infer<typeof outcome>;

export const outcomeColumns = [
  column<Outcome>("ACTION", "action"),
  column<Outcome>("SOURCE", "source", { flexible: true }),
  column<Outcome>("REPOSITORY", "repository", { flexible: true, rank: "key" }),
  column<Outcome>("DETAILS", "reason", { cell: ({ reason = "" }) => reason, flexible: true }),
];

/** A repository of the plan. */
export interface Item {
  readonly row: Outcome;
  /** Absent for one that vanished. */
  readonly wanted?: Wanted;
  /** The repository that is on the server. */
  readonly existing?: Repository | undefined;
}

/** What an earlier run sent and got no answer for, or a failure, by the origins of the repositories. */
export type Begun = ReadonlySet<string>;

/**
 * Compares the source with what its owner has on the server. A repository knows by `original_url` where it is from: one with
 * the name of another origin is a conflict.
 */
export function planImport(
  { wanted, below, all, signedIn }: Source,
  here: readonly Repository[],
  { settings, begun, prune }: { readonly settings: ImportSettings; readonly begun: Begun; readonly prune: boolean },
): Item[] {
  const byName = new Map(here.map((repo) => [repo.name?.toLowerCase() ?? "", repo]));
  const byOrigin = new Map(here.flatMap((repo) => (repo.original_url ? [[originOf(repo.original_url), repo]] : [])));
  const taken = new Map<string, string>();
  const items = wanted.map((one): Item => {
    const { address, name, fault } = one;
    const existing = byOrigin.get(originOf(address));
    const repository = existing?.full_name ?? `${settings.to}/${name}`;
    const row = { source: address, repository, private: one.private, archived: one.archived };
    const conflict = (reason: string): Item => ({ row: { ...row, action: "conflict", reason } });
    if (fault !== undefined) return conflict(fault);
    const other = taken.get(repository.toLowerCase());
    if (other !== undefined) return conflict(`${other} has the same name: give it another one with --list`);
    taken.set(repository.toLowerCase(), address);
    if (existing !== undefined) {
      const isBegun = begun.has(originOf(address));
      if (isBegun || (existing.empty === true && one.empty === false)) {
        const reason = isComplete(one, existing, settings) ? "finishes what was begun" : "is incomplete";
        return { row: { ...row, action: "finish", reason }, wanted: one, existing };
      }
      return { row: { ...row, action: "unchanged", reason: "was imported before" }, wanted: one, existing };
    }
    const namesake = byName.get(name.toLowerCase());
    if (namesake === undefined) return { row: { ...row, action: "import" }, wanted: one };
    const from = namesake.original_url ? `is from ${namesake.original_url}` : "was not imported from there";
    return conflict(`${namesake.full_name} exists, and ${from}`);
  });
  return [...items, ...(below === undefined ? [] : vanished(here, { below, all, signedIn, prune }))];
}

/** Repositories from this source that it does not have any more. Without a token, it lists no private ones. */
function vanished(
  here: readonly Repository[],
  {
    below,
    all,
    signedIn,
    prune,
  }: Pick<Source, "all" | "signedIn"> & { readonly below: string; readonly prune: boolean },
): Item[] {
  return here.flatMap((existing): Item[] => {
    const { original_url: source = "", full_name: repository, archived, mirror } = existing;
    const origin = originOf(source);
    if (!origin.startsWith(below) || all.has(origin) || archived === true) return [];
    if (!signedIn && existing.private === true) return [];
    const action = prune && mirror !== true ? "archive" : "vanished";
    const reason = `is not at the source any more${prune && mirror === true ? "; servers archive no mirrors" : ""}`;
    return [{ row: { source, repository, action, reason }, existing }];
  });
}

/**
 * Whether a copy has what was asked for, as far as both servers say that. While it is copied, a repository is empty, and until
 * its issues and releases are there they are not counted.
 */
export function isComplete(
  { empty, counts: { issues = 0, pulls = 0, both = 0, releases = 0 } }: Pick<Wanted, "empty" | "counts">,
  { empty: isEmpty, open_issues_count = 0, open_pr_counter = 0, release_counter = 0 }: Repository,
  { items, mirror }: Pick<ImportSettings, "items" | "mirror">,
): boolean {
  if (isEmpty === true) return empty === true;
  const has = (item: string) => !mirror && items.includes(item);
  const isShort =
    (has("issues") && open_issues_count < issues) ||
    (has("pull_requests") && open_pr_counter < pulls) ||
    (has("issues") && has("pull_requests") && open_issues_count + open_pr_counter < both) ||
    (has("releases") && release_counter < releases);
  return !isShort;
}

/** `98 to import, 2 conflicts`: the rows by what becomes of them. */
export function countText(rows: readonly Outcome[]): string {
  const counts = new Map<string, number>();
  for (const { action } of rows) counts.set(action, (counts.get(action) ?? 0) + 1);
  return [...counts].map(([action, count]) => `${count} ${said[action] ?? action}`).join(", ");
}

const said: Readonly<Record<string, string>> = {
  import: "to import",
  finish: "to finish",
  archive: "to archive",
  vanished: "not at the source any more",
  conflict: "in conflict",
};
