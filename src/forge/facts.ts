import { type FieldFacts, type OperationFacts, operationFacts, releases } from "./generated/facts.ts";
import type { Operation } from "./operation.ts";

export type { FieldFacts };

/** The oldest known releases. */
const oldest = { gitea: releases.gitea.at(-1) ?? "", forgejo: releases.forgejo.at(-1) ?? "" };

/** What the descriptions of 17 releases say of an operation; undefined if none has it. */
export function factsAt(method: string, path: string): OperationFacts | undefined {
  return factsByShape.get(shapeOf(method, path));
}

const factsByShape: ReadonlyMap<string, OperationFacts> = new Map(
  Object.entries(operationFacts).map(([key, facts]) => {
    const [method = "", path = ""] = key.split(" ");
    return [shapeOf(method, path), facts];
  }),
);

/** Paths compare without the names of their parameters, which releases change. */
function shapeOf(method: string, path: string): string {
  return `${method} ${path.replace(/\{[^}]*\}/g, "{}").toLowerCase()}`;
}

/** The releases that have an operation, where not all have it: `1.24`, or `1.22 and Forgejo 8.0`. */
export function releasesOf(facts: Pick<OperationFacts, "gitea" | "forgejo">): string | undefined {
  const { gitea = oldest.gitea, forgejo = oldest.forgejo } = facts;
  if (facts.gitea === undefined && facts.forgejo === undefined) return undefined;
  if (gitea === "-") return forgejo === "-" ? undefined : `Forgejo ${forgejo}`;
  return forgejo === "-" ? gitea : `${gitea} and Forgejo ${forgejo}`;
}

/** The releases that have all of these operations, as `releasesOf` says it; undefined if no release is known to have them. */
export function releasesWith(operations: readonly Pick<Operation, "method" | "path">[]): string | undefined {
  const all = operations.map(({ method, path }) => factsAt(method, path) ?? { gitea: "-", forgejo: "-" });
  const newest = (of: "gitea" | "forgejo") =>
    all.map((facts) => facts[of] ?? oldest[of]).reduce((one, other) => (isOlder(one, other) ? other : one));
  return releasesOf({ gitea: newest("gitea"), forgejo: newest("forgejo") });
}

/** Whether a release is older than another; no release, `-`, is newer than all. */
function isOlder(one: string, other: string): boolean {
  if (one === "-" || other === "-") return one !== "-";
  return one.localeCompare(other, "en", { numeric: true }) < 0;
}
