import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { readTargets } from "../../app/input.ts";
import { toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import type { Forge } from "../../forge/index.ts";
import { type User, user } from "../../forge/users.ts";
import { DeniedError, HttpError, InvalidError } from "../../http/errors.ts";
import type { Listing } from "../../http/pages.ts";
import { accountLabel } from "../../profiles/server.ts";
import { list } from "../../shape/shape.ts";
import { userNames } from "../follow/users.ts";

/** `tongs user delete`: DELETE /admin/users/{username}, after showing what would go. */
export const remove = defineCommand({
  summary: "Delete accounts",
  details:
    "First shows the repositories, organizations and packages of each account. Without --purge the server refuses to " +
    "delete one that still has some; with --purge they are destroyed, too.",
  on: "server",
  effect: "destroy",
  args: { name: userNames },
  flags: { purge: toggle("destroy the repositories, organizations and packages, too") },
  output: list(user),
  exits: { partly: "some were deleted, some could not be", invalid: "refused: the account owns something" },
  examples: [
    ["Delete one, and be asked", "tongs user delete jonas"],
    ["In a script, with everything it owns", "tongs user delete jonas --purge --yes"],
  ],
  async run(context) {
    const { args, flags, forge, out, prompt, server, system, options } = context;
    const names = await readTargets(args.name, system);
    const known = new Map<string, User>();
    if (!options.yes) {
      for (const name of names) {
        const [account, isOrganization] = await Promise.all([forge.users.get(name), forge.users.isOrganization(name)]);
        if (isOrganization) throw new UsageError(...notAUser(account.login));
        known.set(name, account);
        const owned = await belongings(forge, account.login);
        out.note(describe(account, owned, flags.purge));
        const what = flags.purge ? `Destroy ${account.login} and all that it owns` : `Delete ${account.login}`;
        await prompt.confirmAction({ what, typed: account.login });
      }
    }
    const work = async (name: string) => {
      const record = known.get(name) ?? (out.records ? await forge.users.get(name) : undefined);
      await forge.adminUsers.delete(name, flags.purge).catch((error: unknown) => explainRefusal(forge, name, error));
      return {
        message: `Deleted ${name}${flags.purge ? " and all it owned" : ""} ${accountLabel(server)}`,
        record,
      };
    };
    return batch(names, work, context);
  },
});

/** Why an organization is not deleted here, and what does that. */
function notAUser(name: string): readonly [message: string, hint: string] {
  return [`${name} is an organization, not a user`, `Delete it with: tongs api -X DELETE orgs/${name}`];
}

/**
 * Says why the server does not delete an account, and which command helps. All refusals are 422; which one it is is
 * found by asking, not by the server's words (api-facts 3.2).
 */
async function explainRefusal(forge: Forge, name: string, error: unknown): Promise<never> {
  if (!(error instanceof InvalidError) || error.status !== 422) throw error;
  const refuse = (message: string, hint?: string): never => {
    throw new InvalidError(error.exchange, message, hint);
  };
  if (await forge.users.isOrganization(name)) refuse(...notAUser(name));
  const [me, account] = await Promise.all([forge.users.me(), forge.users.get(name)]);
  if (me.id === account.id) refuse("You cannot delete your own account", "Another administrator can.");
  const { repositories, organizations, packages } = await belongings(forge, name);
  if (repositories.count > 0) {
    const hint = `tongs repo delete ${repositories.names[0]}, or take all with: tongs user delete ${name} --purge`;
    refuse(`${name} still owns ${counted(repositories, "repositories")}: ${repositories.names.join(", ")}`, hint);
  }
  if (organizations.count > 0) {
    const hint = `Remove ${name} from them, or take those that nobody else owns with: tongs user delete ${name} --purge`;
    refuse(`${name} is still in ${counted(organizations, "organizations")}: ${organizations.names.join(", ")}`, hint);
  }
  if (packages.count > 0) {
    const hint = `Take them along with: tongs user delete ${name} --purge`;
    refuse(`${name} still owns ${counted(packages, "packages")}: ${packages.names.join(", ")}`, hint);
  }
  if (account.is_admin)
    refuse(
      `${name} may be the last administrator: ${error.said}`,
      "Make another one first: tongs user edit NAME --admin",
    );
  throw error;
}

function counted({ count }: { readonly count: number }, kind: keyof Belongings): string {
  return `${count} ${kindName(kind, { count })}`;
}

/** What an account owns or belongs to: how many, and the first names. */
interface Belongings {
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
function kindName(kind: string, { count }: { readonly count: number }): string {
  return count === 1 ? singular[kind as keyof Belongings] : kind;
}

/** Reads what would go with an account. Three requests, side by side. */
async function belongings(forge: Forge, name: string): Promise<Belongings> {
  const [repositories, organizations, packages] = await Promise.all([
    count(forge.repos.ofUser(name), (repo) => repo.full_name),
    count(forge.users.organizations(name), (org) => org.username || org.name),
    count(forge.users.packages(name), (item) => `${item.name} ${item.version}`),
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
function describe(account: User, owned: Belongings, purge: boolean): string {
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
