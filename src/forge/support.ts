import { type IgnoredField, ignoredFields, releases, type Since, since } from "./generated/since.ts";
import { levelPaths } from "./level.ts";
import type { Operation } from "./operation.ts";

/** The version of a server, as far as releases go. */
export interface Release {
  readonly product: "gitea" | "forgejo";
  /** `1.26`; `28` of Gitea, which dropped the "1."; `16.0` of Forgejo. */
  readonly number: string;
  /** Built before that release: what came with it may be missing. */
  readonly isBefore: boolean;
}

/** The names of the products. */
export const products = { gitea: "Gitea", forgejo: "Forgejo" } as const;
const productNames = ["gitea", "forgejo"] as const;

/**
 * The release of a version as servers say it: `1.26.0`, `28.0.0+dev-595-g2a2c0e5`, `16.0.1+gitea-1.22.0`,
 * `10.0.0-dev-1+gitea-1.22.0`. Undefined for a text that is no version.
 */
export function releaseOf(version: string): Release | undefined {
  const [, own = "", number = ""] = /^v?((\d+\.\d+)[^+]*)/.exec(version) ?? [];
  if (number === "") return undefined;
  const product = version.includes("+gitea-") ? "forgejo" : "gitea";
  const rest = product === "forgejo" ? own : version;
  // Before Gitea 28 was released, its development version had the "1." as well.
  const major = product === "gitea" ? /^(?:1\.)?(28|29|[3-9]\d)\b/.exec(number)?.[1] : undefined;
  return { product, number: major ?? number, isBefore: /dev|rc|alpha|beta/i.test(rest) };
}

/**
 * What a release lacks: `no` that it has an operation, `yes`, or `unknown` for one that came with, or went with, the release
 * that a server is built before. Releases older than the known ones count as the oldest of them; of newer ones, `unknown` is what the
 * newest lacks.
 */
export function hasOperation({ product, number, isBefore }: Release, of: Since): Word {
  const from = of[product];
  const { newest, oldest } = ends(product);
  const isNewer = order(number) > order(newest);
  if (from === "-") return isNewer ? "unknown" : "no";
  const at = Math.min(Math.max(order(number), order(oldest)), order(newest));
  const isEdge = (release: string) => isBefore && order(number) === order(release);
  if (from !== undefined && at < order(from)) return "no";
  const until = of.until?.[product];
  if (until !== undefined && at >= order(until)) return isNewer || isEdge(until) ? "unknown" : "no";
  return from !== undefined && isEdge(from) ? "unknown" : "yes";
}

/**
 * The known release that a version counts as: `Forgejo 16.0`; `Gitea 28 before its release`, whose new operations may be
 * missing; the newest or the oldest one for others. Undefined for a text that is no version.
 */
export function countedAs(version: string): string | undefined {
  const release = releaseOf(version);
  if (release === undefined) return undefined;
  const { product, number, isBefore } = release;
  const { newest, oldest } = ends(product);
  if (order(number) > order(newest)) return `${products[product]} ${newest}, the newest known`;
  if (order(number) < order(oldest)) return `${products[product]} ${oldest}, the oldest known`;
  return `${products[product]} ${number}${isBefore ? " before its release" : ""}`;
}

/** Whether a release is in the table, or older than it: not newer than all that are known. */
export function isKnown({ product, number }: Release): boolean {
  return order(number) <= order(ends(product).newest);
}

/** Which releases have an operation (`GET /repos/{owner}/{repo}`); undefined if all have it. */
export function sinceOf(operation: string): Since | undefined {
  return since[shapeOf(operation)];
}

/** Which servers ignore a field of the query or the body of an operation, as recordings prove. */
export function ignoredField(operation: Needed, name: string): IgnoredField | undefined {
  return ignoredFields[shapeOf(placed(operation)[0] ?? "")]?.[name];
}

/** Paths compare without the names of their parameters, which releases change. */
export function shapeOf(operation: string): string {
  return operation.replace(/\{[^}]*\}/g, "{}").toLowerCase();
}

/** Which releases have an operation that not all have: `Available since Gitea 1.24 and Forgejo 12.0.` */
export function availableSince(of: Since): string {
  const having = productNames.filter((product) => of[product] !== "-");
  const since = having.map((product) => {
    const until = of.until?.[product];
    const range = until === undefined ? "" : `, but not since ${until}`;
    return `${products[product]} ${of[product] ?? ends(product).oldest}${range}`;
  });
  const lacking = productNames
    .filter((product) => of[product] === "-")
    .map((product) => ` ${products[product]} ${ends(product).newest} does not have it.`);
  return `Available since ${since.join(" and ")}.${lacking.join("")}`;
}

/** What of an operation tells which releases have it; one with levels exists where any of its levels does. */
export type Needed = Pick<Operation, "method" | "path" | "levels" | "strict">;

/** The operations that a command needs: all of them; of a list among them, one. */
export type Needs = readonly (Needed | readonly Needed[])[];

/** Whether a server has something. */
export type Word = "yes" | "no" | "unknown";

/** How a server's release has an operation: what its table says, or what was found out. */
export type Has = (operation: string, of: Since) => Word;

/** Whether a release has what is needed, as `hasOperation` says it of one operation. */
export function hasNeeds(needs: Needs, has: Has): Word {
  const words = needs.map((need) => {
    const found = placed(need).map((operation) => has(operation, sinceOf(operation) ?? {}));
    return (["yes", "unknown"] as const).find((word) => found.includes(word)) ?? "no";
  });
  return (["no", "unknown"] as const).find((word) => words.includes(word)) ?? "yes";
}

/** The operations of what is needed, at all their levels. */
export function placed(need: Needs[number] | Needs): string[] {
  if ("map" in need) return need.flatMap(placed);
  const { method, path, levels } = need;
  if (levels.length === 0) return [`${method} ${path}`];
  return levels.map((level) => `${method} ${path.replace("{level}", levelPaths[level])}`);
}

/** Which releases have what is needed; undefined if all have it. */
export function sinceOfNeeds(needs: Needs): Since | undefined {
  const found: { -readonly [K in keyof Since]: Since[K] } = {};
  for (const product of productNames) {
    const all = releases[product];
    const having = all.filter(
      (number) => hasNeeds(needs, (_, of) => hasOperation({ product, number, isBefore: false }, of)) === "yes",
    );
    const [newest] = having;
    const oldest = having.at(-1);
    if (oldest !== all.at(-1)) found[product] = oldest ?? "-";
    if (newest !== undefined && newest !== all[0])
      found.until = { ...found.until, [product]: all[all.indexOf(newest) - 1] ?? "" };
  }
  return Object.keys(found).length === 0 ? undefined : found;
}

/** Which releases have what is needed, in a sentence; undefined if all have it. */
export function availableWith(needs: Needs): string | undefined {
  const since = sinceOfNeeds(needs);
  return since && availableSince(since);
}

/** The first release of each product that has something, in brackets after a flag: `Gitea 1.24, Forgejo 12.0`. */
export function firstReleases(of: Since): string {
  const having = productNames.filter((product) => of[product] !== "-");
  const first = having.map((product) => {
    const until = of.until?.[product];
    return [products[product], of[product] ?? [], until === undefined ? [] : `before ${until}`].flat().join(" ");
  });
  return first.join(", ");
}

/**
 * What a server that lacks something, such as an operation, is refused with:
 * `This needs Forgejo 16.0; git.example.org is 11.0`.
 */
export function needsText({ product, number }: Release, of: Since, server: string, what = "This"): string {
  const until = of.until?.[product];
  const from = of[product];
  if (from === "-") {
    const other = product === "gitea" ? "forgejo" : "gitea";
    const release = of[other] === undefined ? "" : ` ${of[other]}`;
    return `${what} needs ${products[other]}${release}; ${server} is ${products[product]} ${number}`;
  }
  const needs = until !== undefined && order(number) >= order(until) ? `before ${until}` : (from ?? "");
  return `${what} needs ${products[product]} ${needs}; ${server} is ${number}`;
}

/** The newest and the oldest known release. */
function ends(product: Release["product"]): { readonly newest: string; readonly oldest: string } {
  return { newest: releases[product][0] ?? "", oldest: releases[product].at(-1) ?? "" };
}

function order(release: string): number {
  const [major = "0", minor = "0"] = release.split(".");
  return Number(major) * 1000 + Number(minor);
}
