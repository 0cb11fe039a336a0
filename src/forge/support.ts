import { releases, type Since, since } from "./generated/since.ts";
import type { Operation } from "./operation.ts";

/** The version of a server, as far as releases go. */
export interface Release {
  readonly product: "gitea" | "forgejo";
  /** `1.26`, `16.0`. */
  readonly number: string;
  /** Built before that release: what came with it may be missing. */
  readonly isBefore: boolean;
}

/** The names of the products. */
export const products = { gitea: "Gitea", forgejo: "Forgejo" } as const;

/**
 * The release of a version as servers say it: `1.26.0`, `1.28.0+dev-595-g2a2c0e5`, `16.0.1+gitea-1.22.0`,
 * `10.0.0-dev-1+gitea-1.22.0`. Undefined for a text that is no version.
 */
export function releaseOf(version: string): Release | undefined {
  const [, own = "", number = ""] = /^v?((\d+\.\d+)[^+]*)/.exec(version) ?? [];
  if (number === "") return undefined;
  const product = version.includes("+gitea-") ? "forgejo" : "gitea";
  const rest = product === "forgejo" ? own : version;
  return { product, number, isBefore: /dev|rc|alpha|beta/i.test(rest) };
}

/**
 * What a release lacks: `no` that it has an operation, `yes`, or `unknown` for one that came with, or went with, the release
 * that a server is built before. Releases newer than the known ones count as the newest of them, older ones as the oldest.
 */
export function hasOperation({ product, number, isBefore }: Release, of: Since): "yes" | "no" | "unknown" {
  const from = of[product];
  if (from === "-") return "no";
  const { newest, oldest } = ends(product);
  const at = Math.min(Math.max(order(number), order(oldest)), order(newest));
  const isEdge = (release: string) => isBefore && order(number) === order(release);
  if (from !== undefined && at < order(from)) return "no";
  const until = of.until?.[product];
  if (until !== undefined && at >= order(until)) return isEdge(until) ? "unknown" : "no";
  return from !== undefined && isEdge(from) ? "unknown" : "yes";
}

/**
 * The known release that a version counts as: `Forgejo 16.0`; `Gitea 1.28 before its release`, whose new operations may be
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

/** Which releases have an operation (`GET /repos/{owner}/{repo}`); undefined if all have it. */
export function sinceOf(operation: string): Since | undefined {
  return since[shapeOf(operation)];
}

/** Paths compare without the names of their parameters, which releases change. */
export function shapeOf(operation: string): string {
  return operation.replace(/\{[^}]*\}/g, "{}").toLowerCase();
}

/** Which releases have an operation that not all have: `Available since Gitea 1.24 and Forgejo 12.0.` */
export function availableSince(of: Since): string {
  const names = ["gitea", "forgejo"] as const;
  const having = names.filter((product) => of[product] !== "-");
  const since = having.map((product) => {
    const until = of.until?.[product];
    const range = until === undefined ? "" : `, but not since ${until}`;
    return `${products[product]} ${of[product] ?? ends(product).oldest}${range}`;
  });
  const lacking = names
    .filter((product) => of[product] === "-")
    .map((product) => ` ${products[product]} ${ends(product).newest} does not have it.`);
  return `Available since ${since.join(" and ")}.${lacking.join("")}`;
}

/** Which releases have all of these operations; undefined if all releases do. */
export function availableWith(...operations: readonly Pick<Operation, "method" | "path">[]): string | undefined {
  const all = operations.flatMap(({ method, path }) => sinceOf(`${method} ${path}`) ?? []);
  const [first, ...others] = all;
  if (first === undefined || others.length === 0) return first && availableSince(first);
  const newest = (product: Release["product"]) =>
    all
      .map((of) => of[product] ?? ends(product).oldest)
      .reduce((one, other) => (other === "-" || (one !== "-" && order(other) > order(one)) ? other : one));
  return availableSince({ gitea: newest("gitea"), forgejo: newest("forgejo") });
}

/** What a server that lacks an operation is refused with: `This needs Forgejo 16.0; git.example.org is 11.0`. */
export function needsText({ product, number }: Release, of: Since, server: string): string {
  const until = of.until?.[product];
  const from = of[product];
  if (from === "-") {
    const other = product === "gitea" ? "forgejo" : "gitea";
    const release = of[other] === undefined ? "" : ` ${of[other]}`;
    return `This needs ${products[other]}${release}; ${server} is ${products[product]} ${number}`;
  }
  const needs = until !== undefined && order(number) >= order(until) ? `before ${until}` : (from ?? "");
  return `This needs ${products[product]} ${needs}; ${server} is ${number}`;
}

/** The newest and the oldest known release. */
function ends(product: Release["product"]): { readonly newest: string; readonly oldest: string } {
  return { newest: releases[product][0] ?? "", oldest: releases[product].at(-1) ?? "" };
}

function order(release: string): number {
  const [major = "0", minor = "0"] = release.split(".");
  return Number(major) * 1000 + Number(minor);
}
