import pMap from "p-map";
import { batch } from "../../app/batch.ts";
import type { ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { readTargets } from "../../app/input.ts";
import { requirePresentName } from "../../app/present-name.ts";
import { currentUser } from "../../app/shared.ts";
import { many } from "../../command/args.ts";
import { toggle } from "../../command/flags.ts";
import { changed, Failure, UsageError } from "../../failure/failure.ts";
import { userDelete } from "../../forge/admin-users.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { orgRepoList } from "../../forge/orgs.ts";
import { packageList, packageVersionDelete } from "../../forge/packages.ts";
import { userRepoList } from "../../forge/repos.ts";
import { ownersOf } from "../../forge/teams.ts";
import { isOrganization, orgName, type User, user, userGet, userOrgList } from "../../forge/users.ts";
import type { Http } from "../../http/client.ts";
import { DeniedError, HttpError, InvalidError, ifFound, ifVisible } from "../../http/errors.ts";
import type { Listing } from "../../http/pages.ts";
import { accountLabel, commandOn, type Server } from "../../profiles/server.ts";
import { list, present } from "../../shape/shape.ts";
import { safeLine } from "../../text/safe.ts";

/** `tongs user delete`: DELETE /admin/users/{username}, after listing what the user owns. */
export const remove = defineCommand({
  summary: "Delete users",
  details:
    "Lists each user's repositories, organizations and packages before asking for confirmation. To delete a user who " +
    "still has any, transfer the repositories (tongs repo transfer), or pass --purge, which deletes them as well, and the " +
    "organizations that nobody else owns with all that is in them. What it deletes is listed with --yes, too.",
  on: "server",
  effect: "destroy",
  args: { name: many("usernames", { dash: "lines", source: "account" }) },
  flags: { purge: toggle("also delete what the user owns") },
  output: list(user),
  exits: { partly: "some users were deleted, some failed", invalid: "refused: the user still owns something" },
  examples: [
    ["Delete a user", "tongs user delete jonas"],
    ["Delete a user and everything they own, in a script", "tongs user delete jonas --purge --yes"],
  ],
  async run(context) {
    const { args, flags, http, out, prompt, server, system, options } = context;
    const names = await readTargets(args.name, system);
    const known = new Map<string, { readonly account: User; readonly owned: OwnedItems }>();
    /** The account of a name. Throws for what the server would refuse, before anything is deleted. */
    const accountOf = async (name: string) => {
      const [account, isOrg] = await Promise.all([call(http, userGet, { username: name }), isOrganization(http, name)]);
      const { login } = account;
      const toDelete = (what: string, line: string) => `To delete ${what}, run: ${commandOn(server, line)}`;
      requirePresentName(name, login, (now) => toDelete("this user", `tongs user delete ${now}`));
      if (isOrg)
        throw new UsageError(`${login} is an organization, not a user`, toDelete("it", `tongs org delete ${login}`));
      if ((await currentUser(context)).toLowerCase() === login.toLowerCase())
        throw new Failure("invalid", "You cannot delete your own account", {
          hint: "Ask another administrator to delete it.",
        });
      return account;
    };
    const ask = async (name: string) => {
      const account = await accountOf(name);
      const owned = await ownedBy(http, account.login, flags.purge && names);
      known.set(name, { account, owned });
      const refusal =
        flags.purge || !(prompt.able || options.dryRun) ? undefined : stillOwns(account.login, owned, server);
      // Do not ask: the server would refuse, whatever the answer is.
      if (refusal !== undefined) throw new Failure("owns_something", ...refusal);
      out.note(describeUser(account, owned, flags.purge));
      const what = flags.purge ? `Delete ${account.login} and everything they own` : `Delete ${account.login}`;
      await prompt.confirmAction({ what, typed: account.login, sends: userDelete });
    };
    if (!options.yes && !options.dryRun) for (const name of names) await ask(name);
    const work = async (name: string) => {
      // A dry run ends with the first request, as with --yes, so that others are not looked up before it.
      if (options.dryRun && !options.yes) await ask(name);
      const shown = known.get(name);
      const record = shown?.account ?? (await accountOf(name));
      const emptied: string[] = [];
      if (flags.purge) {
        const owned = shown?.owned ?? (await ownedBy(http, name, names));
        if (options.yes) out.note(describeUser(record, owned, true));
        for (const { kind, org, count } of owned.items)
          if (kind === "packages" && org !== undefined && count > 0) {
            emptied.push(org);
            await deletePackages(http, org);
          }
      }
      const deletion = call(http, userDelete, { username: name, purge: flags.purge || undefined });
      await deletion
        .catch((error: unknown) => explainRefusal(context, record, error))
        .catch((error: unknown) => {
          if (!(error instanceof Failure) || emptied.length === 0) throw error;
          const message = `Deleted the packages of ${emptied.join(", ")}, but not ${name}: ${error.message}`;
          throw changed(error, { code: "partly_done", message });
        });
      return {
        message: `Deleted user ${name}${flags.purge ? " and everything they owned" : ""} ${accountLabel(server)}`,
        record,
      };
    };
    return batch(names, work, context);
  },
});

/**
 * Explains why the server refuses to delete a user, with the command that helps. All refusals are 422, so the reason is
 * looked up instead of parsing the server's message (docs/server-differences.md, "Users: deleting").
 */
async function explainRefusal(
  { http, server }: Pick<ServerContext, "http" | "server">,
  { login, is_admin }: User,
  error: unknown,
): Promise<never> {
  if (!(error instanceof InvalidError) || error.status !== 422) throw error;
  const refusal = stillOwns(login, await ownedBy(http, login), server);
  if (refusal !== undefined) throw new InvalidError(error.exchange, refusal[0], refusal[1].hint);
  if (!is_admin) throw error;
  const hint = `First make another user an administrator: ${commandOn(server, "tongs user edit NAME --admin")}`;
  throw new InvalidError(error.exchange, `${login} may be the last administrator: ${error.serverMessage}`, hint);
}

/** Why the server refuses to delete a user who owns something, all of which is named, and the flag that deletes it, too. */
function stillOwns(
  name: string,
  { items }: OwnedItems,
  server: Server,
): readonly [message: string, { readonly hint: string }] | undefined {
  const all = items.flatMap((item) => {
    const verb = item.kind === "organizations" ? "is still a member of" : "still owns";
    return item.count === 0 ? [] : [`${verb} ${item.count} ${nounFor(item)}: ${item.names.join(", ")}`];
  });
  if (all.length === 0) return undefined;
  const first = items.find(({ kind }) => kind === "repositories")?.names[0];
  const [move, one] = [`tongs repo transfer NEW-OWNER -R ${first}`, `tongs repo delete ${first}`];
  const hints = [
    ...(first === undefined
      ? []
      : [
          `To keep the repositories, transfer them: ${commandOn(server, move)}`,
          `To delete one, run: ${commandOn(server, one)}`,
        ]),
    `To delete everything, run: ${commandOn(server, `tongs user delete ${name} --purge`)}`,
  ];
  return [`${name} ${all.join("; ")}`, { hint: hints.join("\n") }];
}

/** What a user owns or is a member of: with --purge, only organizations that nobody else owns, with what they have. */
interface OwnedItems {
  readonly items: readonly Owned[];
  /** The other organizations, with --purge. */
  readonly left: readonly string[];
}

interface Owned {
  readonly kind: keyof typeof singular;
  /** The organization that has it. */
  readonly org?: string | undefined;
  readonly count: number;
  /** The first names. */
  readonly names: readonly string[];
  /** The token is not allowed to list them. */
  readonly hidden?: boolean;
}

const namesShown = 5;

const singular = { repositories: "repository", organizations: "organization", packages: "package" } as const;

/** The singular or plural of a kind, of an organization with its name. */
function nounFor({ kind, org, count }: Owned): string {
  return `${count === 1 ? singular[kind] : kind}${org === undefined ? "" : ` of ${org}`}`;
}

/**
 * Reads what a user owns; with the names of all users that `purge` deletes, which organizations nobody else owns, and what
 * they have.
 */
async function ownedBy(http: Http, name: string, purged: readonly string[] | false = false): Promise<OwnedItems> {
  const [repositories, organizations, packages, lost] = await Promise.all([
    counted({ kind: "repositories" }, call(http, userRepoList, { username: name }), (repo) => repo.full_name),
    counted({ kind: "organizations" }, call(http, userOrgList, { username: name }), orgName),
    packagesOf(http, name),
    purged ? purgedOrganizations(http, name, purged) : undefined,
  ]);
  if (lost === undefined) return { items: [repositories, organizations, packages], left: [] };
  return { items: [repositories, lost.organizations, packages, ...lost.inside], left: lost.left };
}

function packagesOf(http: Http, owner: string, org?: string): Promise<Owned> {
  return counted(
    { kind: "packages", org },
    call(http, packageList, { owner }),
    (item) => `${item.name} ${item.version}`,
  );
}

/** Deletes the packages of an organization: servers refuse to delete a user whose organization has any, half-way (500). */
async function deletePackages(http: Http, owner: string): Promise<void> {
  const items = await collect(call(http, packageList, { owner }));
  const remove = ({ type, name, version }: (typeof items)[number]) =>
    ifFound(call(http, packageVersionDelete, { owner, type, name, version }));
  await pMap(items, remove, { concurrency: 8 });
}

/** The organizations of a user, as `--purge` treats them: the server deletes those that lose their last owner. */
async function purgedOrganizations(http: Http, login: string, purged: readonly string[]) {
  const going = new Set([login, ...purged].map((name) => name.toLowerCase()));
  const all = await ifVisible(collect(call(http, userOrgList, { username: login })));
  if (all === undefined) return undefined;
  const found = await pMap(
    present(all).map(orgName),
    async (org) => {
      const owners = (await ownersOf(http, org)).map((one) => one.login.toLowerCase());
      // Of several owners who are deleted, the last one takes it along.
      if (!owners.includes(login.toLowerCase()) || !owners.every((name) => going.has(name))) return { org };
      const repositories = call(http, orgRepoList, { org });
      const own = await counted({ kind: "repositories", org }, repositories, (repo) => repo.full_name);
      return { org, inside: [own, await packagesOf(http, org, org)] };
    },
    { concurrency: 8 },
  );
  const names = found.flatMap(({ org, inside }) => (inside === undefined ? [] : [org]));
  const organizations: Owned = { kind: "organizations", count: names.length, names };
  const left = found.flatMap(({ org, inside }) => (inside === undefined ? [org] : []));
  return { organizations, inside: found.flatMap(({ inside = [] }) => inside), left };
}

async function counted<T>(
  what: Pick<Owned, "kind" | "org">,
  listing: Listing<T>,
  nameOf: (item: T) => string,
): Promise<Owned> {
  const names: string[] = [];
  try {
    for await (const item of listing.take(namesShown)) names.push(nameOf(item));
  } catch (error) {
    if (error instanceof DeniedError) return { ...what, count: 0, names, hidden: true };
    // A server with packages disabled does not have the operation.
    if (error instanceof HttpError && error.code === "unknown_operation") return { ...what, count: 0, names };
    throw error;
  }
  return { ...what, count: Math.max(listing.total ?? 0, names.length), names };
}

/** Describes a user and what they own, to be read before the confirmation. */
function describeUser(account: User, { items, left }: OwnedItems, purge: boolean): string {
  const lines = items.flatMap((item) => {
    const { count, names, hidden } = item;
    if (hidden) return [`     ? ${nounFor(item)}: your token is not allowed to list them`];
    const more = count > names.length ? `, and ${count - names.length} more` : "";
    return count === 0 ? [] : [`  ${String(count).padStart(4)} ${nounFor(item)}: ${names.join(", ")}${more}`];
  });
  const name = account.full_name ? ` (${account.full_name})` : "";
  const who = safeLine(`${account.login}${name}${account.email ? `, ${account.email}` : ""}`);
  const leaving = left.length === 0 ? [] : [`  leaves, and does not delete: ${left.join(", ")}`];
  if (lines.length === 0) return [who, "  owns no repositories, organizations or packages", ...leaving].join("\n");
  const consequence = purge
    ? "  --purge deletes all of these"
    : "  the server refuses to delete a user who still has any, unless --purge is given";
  return [who, ...lines, consequence, ...leaving].join("\n");
}
