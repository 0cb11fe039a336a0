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
    ...(["import", "finish", "archive", "vanished", "unseen", "differs", "conflict", "unchanged"] as const),
    ...(["imported", "finished", "archived", "failed"] as const),
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
export async function planImport(
  source: Source,
  here: readonly Repository[],
  { settings, begun, prune }: { readonly settings: ImportSettings; readonly begun: Begun; readonly prune: boolean },
): Promise<Item[]> {
  const { wanted } = source;
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
      const reason = differences(one, existing, { settings, isListed: source.below !== undefined }).join("; ");
      if (reason !== "") return { row: { ...row, action: "differs", reason }, wanted: one, existing };
      return { row: { ...row, action: "unchanged", reason: "was imported before" }, wanted: one, existing };
    }
    const namesake = byName.get(name.toLowerCase());
    if (namesake === undefined) {
      const reason = settings.mirror && one.archived ? { reason: mirrorsStay } : {};
      return { row: { ...row, action: "import", ...reason }, wanted: one };
    }
    const { original_url: other_url = "" } = namesake;
    const from = other_url === "" ? "was not imported from there" : `is from ${other_url}`;
    if (isSamePath(address, other_url))
      return conflict(`${namesake.full_name} exists, and ${from}: if that is the same server, pass that address`);
    return conflict(`${namesake.full_name} exists, and ${from}`);
  });
  return [...items, ...(await vanished(here, source, prune))];
}

/** Whether addresses differ by their server alone: `localhost` can be `127.0.0.1`. */
function isSamePath(one: string, other: string): boolean {
  const pathOf = (address: string) => originOf(address).replace(/^[^/]*/, "");
  return other !== "" && pathOf(one) === pathOf(other);
}

/**
 * Repositories from this source that it does not list, as far as the filters cover them. They are not there any more only if
 * it was asked by somebody who sees all of them.
 */
async function vanished(
  here: readonly Repository[],
  { below, all, signedIn, seesAll, covers }: Source,
  prune: boolean,
): Promise<Item[]> {
  const gone = here.filter((existing) => {
    const origin = originOf(existing.original_url ?? "");
    const isFrom = below !== undefined && origin.startsWith(below);
    return isFrom && !all.has(origin) && existing.archived !== true && covers(existing) !== false;
  });
  if (gone.length === 0) return [];
  const isSure = await seesAll();
  return gone.map((existing): Item => {
    const { original_url: source = "", full_name: repository, mirror } = existing;
    const unseen = `is not visible ${signedIn ? "to the token for the source" : "without a token"}: private, or deleted`;
    if (!isSure) return { row: { source, repository, action: "unseen", reason: unseen }, existing };
    const why = "is not at the source any more";
    const kept =
      mirror === true ? mirrorsStay : covers(existing) === undefined ? "whether the filters cover it is not known" : "";
    if (prune && kept === "") return { row: { source, repository, action: "archive", reason: why }, existing };
    const reason = kept === "" || (!prune && mirror !== true) ? why : `${why}; ${kept}`;
    return { row: { source, repository, action: "vanished", reason }, existing };
  });
}

/** Why a mirror is not archived. */
export const mirrorsStay = "servers archive no mirrors";

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

/** Whether something is only begun, and what is left of it is removed unless the server goes on to copy it. */
export function isIncomplete({ row, wanted, existing }: Item, settings: ImportSettings): boolean {
  if (row.action !== "finish" || wanted === undefined || existing === undefined) return false;
  return !isComplete(wanted, existing, settings);
}

/**
 * What of a repository that was imported before is otherwise at the source: it changed there or here, or was never copied. Of a
 * list, only the repository here is known.
 */
function differences(
  { empty, private: isPrivate, archived, description, counts }: Wanted,
  here: Repository,
  { settings, isListed }: { readonly settings: ImportSettings; readonly isListed: boolean },
): string[] {
  const { open_issues_count: issues = 0, open_pr_counter: pulls = 0, release_counter: releases = 0 } = here;
  const has = (item: string) => !settings.mirror && settings.items.includes(item);
  const short = (item: string, what: string, count: number, wanted = 0) =>
    has(item) && count < wanted ? [`has ${count} of ${wanted} ${what}`] : [];
  const both = has("issues") && has("pull_requests");
  const unlike = [
    ...(isPrivate !== (here.private === true) ? [`is ${isPrivate ? "public" : "private"} here`] : []),
    ...(archived !== (here.archived === true) && here.mirror !== true
      ? [`is ${archived ? "not archived" : "archived"} here`]
      : []),
    ...(description !== (here.description ?? "").trim() ? ["has another description here"] : []),
  ];
  return [
    ...(here.empty === true && empty !== true ? ["is empty here: to import it again, delete it first"] : []),
    ...short("issues", "open issues", issues, counts.issues),
    ...short("pull_requests", "open pull requests", pulls, counts.pulls),
    ...(both ? short("issues", "open issues and pull requests", issues + pulls, counts.both) : []),
    ...short("releases", "releases", releases, counts.releases),
    ...(isListed ? unlike : []),
  ];
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
  unseen: "not visible at the source",
  differs: "different at the source",
  conflict: "in conflict",
};
