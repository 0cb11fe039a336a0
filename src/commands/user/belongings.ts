import type { Forge } from "../../forge/index.ts";
import type { User } from "../../forge/users.ts";
import { DeniedError, HttpError } from "../../http/errors.ts";
import type { Listing } from "../../http/pages.ts";

/** What an account owns or belongs to: how many, and the first names. */
export interface Belongings {
  readonly repositories: Counted;
  readonly organizations: Counted;
  readonly packages: Counted;
}

interface Counted {
  readonly count: number;
  readonly names: readonly string[];
  /** The token may not ask. */
  readonly hidden?: boolean;
}

const shown = 5;

const singular = { repositories: "repository", organizations: "organization", packages: "package" } as const;

/** What so many of a kind are called. */
export function kindName(kind: string, { count }: { readonly count: number }): string {
  return count === 1 ? singular[kind as keyof Belongings] : kind;
}

/** Reads what would go with an account. Three requests, side by side. */
export async function belongings(forge: Forge, name: string): Promise<Belongings> {
  const [repositories, organizations, packages] = await Promise.all([
    count(forge.repos.ofUser(name), (repo) => repo.full_name),
    count(forge.users.organizations(name), (org) => org.username || org.name),
    count(forge.packages.ofOwner(name), (item) => `${item.name} ${item.version}`),
  ]);
  return { repositories, organizations, packages };
}

async function count<T>(listing: Listing<T>, nameOf: (item: T) => string): Promise<Counted> {
  const names: string[] = [];
  try {
    for await (const item of listing.take(shown)) names.push(nameOf(item));
  } catch (error) {
    if (error instanceof DeniedError) return { count: 0, names, hidden: true };
    // A server with packages switched off has no such operation, and no packages.
    if (error instanceof HttpError && error.code === "unknown_operation") return { count: 0, names };
    throw error;
  }
  return { count: Math.max(listing.total ?? 0, names.length), names };
}

/** What goes, or what stands in the way, for a person to read before saying yes. */
export function describe(account: User, owned: Belongings, purge: boolean): string {
  const lines = Object.entries(owned)
    .filter(([, { count }]) => count > 0)
    .map(([kind, { count, names }]) => {
      const more = count > names.length ? `, and ${count - names.length} more` : "";
      return `  ${String(count).padStart(4)} ${kindName(kind, { count })}: ${names.join(", ")}${more}`;
    });
  const who = `${account.login}${account.full_name === "" ? "" : ` (${account.full_name})`}, ${account.email}`;
  const hidden = Object.entries(owned).filter(([, { hidden: isHidden }]) => isHidden);
  lines.push(...hidden.map(([kind]) => `     ? ${kind}: your token may not list them`));
  if (lines.length === 0) return `${who}\n  owns no repository, organization or package`;
  const fate = purge
    ? "  --purge destroys these, and organizations that nobody else owns"
    : "  the server refuses while these exist";
  return [who, ...lines, fate].join("\n");
}
