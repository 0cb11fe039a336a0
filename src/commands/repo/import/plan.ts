import pMap from "p-map";
import type { Repository } from "../../../forge/repos.ts";
import type { Http } from "../../../http/client.ts";
import { column } from "../../../output/table.ts";
import { boolean, type Infer, optional, record, setTime, string, words } from "../../../shape/shape.ts";
import { originOf } from "./at-source.ts";
import { compareWhole, shortRecords, uncomparable, uncompared, whole } from "./compare.ts";
import type { ImportSettings } from "./settings.ts";
import type { Source, Wanted } from "./source.ts";

/** What becomes of a repository, planned or done. */
export const outcome = record({
  source: string,
  /** `fleet/harbor`, on the server. */
  repository: string,
  action: words(
    ...(["import", "wait", "archive", "vanished", "moved", "unseen", "differs", "conflict", "unchanged"] as const),
    // Whether a copy is complete.
    "unknown" as const,
    ...(["imported", "archived", "failed"] as const),
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

/** The row of a repository that was not imported. */
export function outcomeRow(row: Outcome, action: "plan" | "stopped" | "failed", reason = row.reason): Outcome {
  if (action === "plan" || row.action === "conflict" || row.action === "unknown") return row;
  return { ...row, action: "failed", ...(reason === undefined ? {} : { reason }) };
}

/** A repository of the plan. */
export interface Item {
  readonly row: Outcome;
  /** Absent for one that vanished. */
  readonly wanted?: Wanted;
  /** The repository that is on the server. */
  readonly existing?: Repository | undefined;
  /** Where one that the owner does not list any more is at the source. */
  readonly isAt?: string | undefined;
}

interface Planned {
  readonly settings: ImportSettings;
  readonly prune: boolean;
  /** The server that is imported to. */
  readonly http: Http;
  /** Whether the server may still be copying what was created at a time. */
  readonly isYoung: (created: string | undefined) => boolean;
}

/**
 * Compares the source with what its owner has on the server. A repository knows by `original_url` where it is from: one with
 * the name of another origin is a conflict.
 */
export async function planImport(
  source: Source,
  here: readonly Repository[],
  { settings, prune, http, isYoung }: Planned,
): Promise<Item[]> {
  const byName = new Map(here.map((repo) => [repo.name?.toLowerCase() ?? "", repo]));
  const copies = here.filter((repo) => repo.original_url);
  const byOrigin = new Map(copies.map((repo) => [originOf(repo.original_url ?? ""), repo]));
  const missing = source.wanted.filter(({ address }) => !byOrigin.has(originOf(address)));
  const left = await vanished(here, source, { prune, missing });
  const moved = new Set(left.flatMap(({ isAt }) => (isAt === undefined ? [] : [originOf(isAt)])));
  // What was imported from its old place is not imported again.
  const isMoved = (origin: string) => moved.has(origin) && !byOrigin.has(origin);
  const wanted = source.wanted.filter(({ address }) => !isMoved(originOf(address)));
  const taken = new Map<string, string>();
  const items = await pMap(
    wanted,
    async (one): Promise<Item> => {
      const { address, name, fault } = one;
      const existing = byOrigin.get(originOf(address));
      const repository = existing?.full_name ?? `${settings.to}/${name}`;
      const row = { source: address, repository, private: one.private, archived: one.archived };
      const conflict = (reason: string): Item => ({ row: { ...row, action: "conflict", reason } });
      const is = (action: Outcome["action"], reason: string) => ({
        row: { ...row, action, reason },
        wanted: one,
        existing,
      });
      if (fault !== undefined) return conflict(fault);
      const other = taken.get(repository.toLowerCase());
      if (other !== undefined && originOf(other) === originOf(address)) return conflict("is listed twice");
      if (other !== undefined) return conflict(`${other} has the same name: give it another one with --list`);
      taken.set(repository.toLowerCase(), address);
      if (existing !== undefined) {
        const isPartial = existing.empty === true && one.empty === false;
        const created = isYoung(setTime(existing.created_at));
        const lack = isPartial || created ? await compareWhole(one, existing, { settings, source }, http) : whole;
        if (lack !== whole) {
          const action = created && lack !== uncomparable ? "wait" : "unknown";
          return is(action, `is not known to be complete: ${lack}`);
        }
        const reason = differences(one, existing, { settings, isListed: source.below !== undefined }).join("; ");
        if (reason !== "") return is("differs", reason);
        const parts = uncompared(settings);
        const rest = parts.length === 0 ? "" : `; not compared: ${parts.join(", ")}`;
        return is("unchanged", `was imported before${rest}`);
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
    },
    { concurrency: 4 },
  );
  return [...items, ...left];
}

/** Whether addresses differ by their server alone: `localhost` can be `127.0.0.1`. */
function isSamePath(one: string, other: string): boolean {
  const pathOf = (address: string) => originOf(address).replace(/^[^/]*/, "");
  return other !== "" && pathOf(one) === pathOf(other);
}

/**
 * Repositories from this source that it does not list, as far as the filters cover them. They are not there any more only if
 * it was asked by somebody who sees all of them. If something is `missing` here, also those that became it by another name.
 */
async function vanished(
  here: readonly Repository[],
  { below, all, signedIn, seesAll, covers, find }: Source,
  { prune, missing }: { readonly prune: boolean; readonly missing: readonly Wanted[] },
): Promise<Item[]> {
  if (below === undefined) return [];
  const places = new Set(missing.map(({ address }) => originOf(address)));
  const isCovered = (existing: Repository) => existing.archived !== true && covers(existing) !== false;
  const gone = here.filter((existing) => {
    const origin = originOf(existing.original_url ?? "");
    return origin.startsWith(below) && !all.has(origin) && (places.size > 0 || isCovered(existing));
  });
  if (gone.length === 0) return [];
  const isSure = await seesAll();
  const look = async (existing: Repository): Promise<Item | undefined> => {
    const { original_url: source = "", full_name: repository, mirror } = existing;
    const found = await find(source);
    const isAt = found?.address;
    const is = (action: Outcome["action"], reason: string) => ({
      row: { source, repository, action, reason },
      existing,
      isAt,
    });
    const isWanted = isAt !== undefined && places.has(originOf(isAt));
    if (!isCovered(existing) && !isWanted) return undefined;
    const toUs = signedIn ? "to the token for the source" : "without a token";
    if (found !== undefined && (isAt === undefined || originOf(isAt) !== originOf(source))) {
      const to = isAt === undefined ? "" : `, to ${isAt}`;
      const end = found.repo === undefined ? `${to}, and is not visible ${toUs}` : to;
      return is("moved", `was renamed or transferred at the source${end}`);
    }
    if (found !== undefined) return is("unseen", "is at the source, but its owner does not list it");
    if (!isSure) return is("unseen", `is not visible ${toUs}: private, or deleted`);
    const why = "is not at the source any more";
    const kept =
      mirror === true ? mirrorsStay : covers(existing) === undefined ? "whether the filters cover it is not known" : "";
    if (prune && kept === "") return is("archive", why);
    return is("vanished", kept === "" || (!prune && mirror !== true) ? why : `${why}; ${kept}`);
  };
  return (await pMap(gone, look, { concurrency: 4 })).filter((item) => item !== undefined);
}

/** Why a mirror is not archived. */
export const mirrorsStay = "servers archive no mirrors";

/**
 * What of a repository that was imported before is otherwise at the source: it changed there or here, or was never copied. Of a
 * list, only the repository here is known.
 */
function differences(
  { empty, private: isPrivate, archived, description, counts }: Wanted,
  here: Repository,
  { settings, isListed }: { readonly settings: ImportSettings; readonly isListed: boolean },
): string[] {
  const unlike = [
    ...(isPrivate !== (here.private === true) ? [`is ${isPrivate ? "public" : "private"} here`] : []),
    ...(archived !== (here.archived === true) && here.mirror !== true
      ? [`is ${archived ? "not archived" : "archived"} here`]
      : []),
    ...(description !== (here.description ?? "").trim() ? ["has another description here"] : []),
  ];
  return [
    ...(here.empty === true && empty !== true ? ["is empty here: to import it again, delete it first"] : []),
    ...shortRecords(counts, here, settings),
    ...(here.mirror === true && !settings.mirror ? ["is a mirror here"] : []),
    ...(here.mirror !== true && settings.mirror ? ["is no mirror here"] : []),
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
  wait: "to wait for",
  unknown: "incomplete",
  archive: "to archive",
  vanished: "not at the source any more",
  moved: "renamed or transferred at the source",
  unseen: "not visible at the source",
  differs: "different at the source",
  conflict: "in conflict",
};
