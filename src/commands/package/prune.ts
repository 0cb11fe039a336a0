import pMap from "p-map";
import type { BaseContext, ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { readTargets } from "../../app/input.ts";
import { type Change, planFlag, runPlan } from "../../app/plan.ts";
import { requirePresentName } from "../../app/present-name.ts";
import { any } from "../../command/args.ts";
import { choice, integer, toggle } from "../../command/flags.ts";
import { globs } from "../../command/glob-flag.ts";
import { ageFlag } from "../../command/time-flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { allOrgList } from "../../forge/admin.ts";
import { userList } from "../../forge/admin-users.ts";
import { readManifest } from "../../forge/container-registry.ts";
import { collect } from "../../forge/listings.ts";
import { call, find } from "../../forge/operation.ts";
import { seesAllRepos } from "../../forge/orgs.ts";
import {
  type Package,
  packageList,
  packageTypes,
  packageVersionDelete,
  packageVersionGet,
  packageVersions,
} from "../../forge/packages.ts";
import { ifVisible, isFound } from "../../http/errors.ts";
import { asFailure } from "../../output/report-failure.ts";
import { column } from "../../output/table.ts";
import { addressText, commandOn } from "../../profiles/server.ts";
import { type Infer, list, nullable, record, string, time, words } from "../../shape/shape.ts";
import { contextPattern } from "../../text/glob.ts";
import { quoted } from "../../text/words.ts";
import { explainPackage, missingPackage, ownerFlag, ownerOf, packageLabel, wholePackage } from "./name.ts";
import { decideImage } from "./prune-image.ts";
import { type Decision, decideVersions, keep, newestFirst, type PruneRules, prunesVersions } from "./prune-rules.ts";

const prunedVersion = record({
  owner: string,
  type: string,
  name: string,
  version: string,
  created_at: time,
  repository: nullable(string),
  action: words("delete", "keep", "deleted"),
  reason: string,
});
type PrunedVersion = Infer<typeof prunedVersion>;

const columns = [
  column<PrunedVersion>("ACTION", "action"),
  column<PrunedVersion>("OWNER", "owner", { rank: "optional" }),
  column<PrunedVersion>("PACKAGE", "name", { cell: packageLabelOf, flexible: true, rank: "key" }),
  column<PrunedVersion>("VERSION", "version", { flexible: true }),
  column<PrunedVersion>("CREATED", "created_at", { as: "time" }),
  column<PrunedVersion>("REASON", "reason", { flexible: true, below: "text" }),
];

function packageLabelOf({ type, name }: PrunedVersion): string {
  return `${type}/${name}`;
}

/** `tongs package prune`: deletes versions by age and number. */
export const prune = defineCommand({
  summary: "Delete old versions of packages",
  details:
    "Deletes the versions that --keep and --older-than both allow. The newest version of each package, the tag latest of " +
    "images, and packages that are linked to a repository are kept; name a package to prune it although it is linked, or, " +
    "with --keep 0, completely. Servers do not tell of links to repositories that you may not see: of another user, and of an " +
    "organization that you do not own, packages must be named, unless you are an administrator. Manifests that a kept index refers to, and what is attached to a kept image, are kept; those " +
    "of a deleted one are deleted with it. --untagged deletes manifests that have no tag and that nothing refers to, by default " +
    "after a day; without --keep, it deletes nothing else. Without --untagged they are kept, also with --keep 0. --plan shows every version with the reason. A version that is pushed " +
    "again after the plan was made is kept. After an interruption, run the same command again.",
  external: { uses: "the package registry" },
  on: "server",
  effect: "destroy",
  lists: ["version", "versions"],
  args: { package: any("TYPE/NAME of packages (default: all)", { dash: "lines" }) },
  flags: {
    ...ownerFlag,
    allOwners: toggle("packages of all users and organizations, for administrators"),
    type: choice(packageTypes, "filter by type", { placeholder: "TYPE", filters: true }),
    keep: integer("keep this many of the newest versions of each package (default: 1)"),
    olderThan: ageFlag("delete only versions that are older than this: 30d, 12h, 2w"),
    keepPattern: globs("keep versions that match this pattern"),
    untagged: toggle("delete container manifests that have no tag"),
    plan: planFlag,
  },
  exclusive: [["owner", "allOwners"]],
  output: list(prunedVersion),
  exits: { partly: "some versions could not be deleted, or some images could not be read" },
  examples: [
    ["Show what would be deleted", "tongs package prune --owner tidewater --keep 5 --older-than 30d --plan"],
    ["Keep the last five versions and all releases", "tongs package prune --keep 5 --keep-pattern 'v*' --yes"],
    ["Delete container manifests without a tag", "tongs package prune --untagged --older-than 7d --yes"],
  ],
  async run(context) {
    const { flags, out, server, system } = context;
    const { olderThan, keepPattern: keepPatterns, untagged } = flags;
    const { package: typed } = context.args;
    const named = typed.length === 0 ? [] : await readTargets(typed, system);
    const rules: PruneRules = { keep: flags.keep, olderThan, keepPatterns, untagged, now: system.now() };
    checkFlags(flags, named);
    const found = await findVersions(context, flags, { named, rules });
    const failures: Failure[] = [];
    const asked = { context, rules, isNamed: named.length > 0, explains: flags.plan, failures };
    const decisions = (await pMap(found, (one) => decide(one, asked), { concurrency: 4 })).flat();
    const doomed = decisions.filter(({ deletes }) => deletes).sort((one, other) => (one.rank ?? 0) - (other.rank ?? 0));
    const counts = `${doomed.length} to delete, ${decisions.length - doomed.length} to keep`;
    const unread = failures.length > 0 ? "partly" : undefined;
    for (const { message } of failures) out.warn(message);
    for (const pattern of keepPatterns) {
      const matches = contextPattern(pattern);
      if (!decisions.some(({ version: { version } }) => matches(version)))
        out.warn(`--keep-pattern '${pattern}' matches no version`);
    }
    const tried = new Map<Package, Promise<unknown>>();
    const changes = doomed.map((one): Change<PrunedVersion> => {
      const place = placeOf(one.version);
      return {
        place,
        line: place,
        row: rowOf(one),
        async make() {
          const needing = (one.after ?? []).map((other) => tried.get(other));
          const removed = deleteVersion(one, needing, context);
          tried.set(one.version, removed);
          const isNew = await removed;
          const message = isNew ? `Deleted ${place}` : `${place} was already deleted`;
          return { message, row: { action: "deleted" }, unchanged: !isNew };
        },
      };
    });
    const some = doomed.length === 1 ? "1 version" : `${doomed.length} versions`;
    const ended = await runPlan(
      changes,
      {
        asks: `Delete ${some} on ${addressText(server.base)}`,
        sends: packageVersionDelete,
        lines: doomed.map(({ version, reason }) => `Delete ${placeOf(version)}: ${reason}`),
        isPlan: flags.plan,
        rows: decisions.map(rowOf),
        columns,
        nothing: `Nothing to delete: ${counts}`,
      },
      context,
    );
    return ended ?? unread;
  },
});

interface Flags {
  readonly owner: string | undefined;
  readonly allOwners: boolean;
  readonly type: string | undefined;
  readonly keep: number | undefined;
  readonly olderThan: number | undefined;
  readonly untagged: boolean;
}

/** Throws a usage error for flags that would delete nothing, or more than a command line should without a name. */
function checkFlags({ type, keep: count, olderThan, untagged, allOwners }: Flags, named: readonly string[]): void {
  if (count === undefined && olderThan === undefined && !untagged)
    throw new UsageError("Specify at least one of --keep, --older-than and --untagged");
  if (named.length > 0 && type !== undefined) throw new UsageError("Specify either PACKAGE or --type");
  if (named.length > 0 && allOwners) throw new UsageError("Specify either PACKAGE or --all-owners");
  if (count === 0 && named.length === 0)
    throw new UsageError(
      "--keep 0 deletes whole packages",
      "Name the packages: tongs package prune TYPE/NAME --keep 0",
    );
}

/** The versions of each package that is named, or of all packages of the owners. */
async function findVersions(
  context: Parameters<typeof ownerOf>[1],
  flags: Flags,
  { named, rules }: { readonly named: readonly string[]; readonly rules: PruneRules },
): Promise<Package[][]> {
  const { http, server } = context;
  if (named.length > 0) {
    const owner = await ownerOf(flags, context);
    const targets = named.map((typed) => wholePackage(typed, owner));
    return pMap(
      targets,
      async (target) => {
        const versions = await explainPackage(collect(packageVersions(http, target)), target, server);
        if (versions.length === 0) throw missingPackage(target, server);
        requireOwner(owner, versions);
        return versions;
      },
      { concurrency: 8 },
    );
  }
  const owners = flags.allOwners ? await allOwners(http) : [await ownerOf(flags, context)];
  // Only images have untagged manifests.
  const type = flags.type ?? (prunesVersions(rules) ? undefined : "container");
  const lists = await pMap(
    owners,
    async (owner) => {
      const versions = await collect(call(http, packageList, { owner, type }));
      requireOwner(owner, versions);
      // Those of all owners are listed for administrators only.
      if (!flags.allOwners && versions.some(({ repository }) => !repository)) await requireLinks(owner, context);
      return versions;
    },
    { concurrency: 8 },
  );
  const byPackage = new Map<string, Package[]>();
  for (const version of lists.flat()) {
    const key = JSON.stringify([version.owner?.login, version.type, version.name.toLowerCase()]);
    byPackage.set(key, [...(byPackage.get(key) ?? []), version]);
  }
  return [...byPackage.values()];
}

/**
 * Throws a usage error unless the caller sees all repositories of an owner: servers leave out the repository that a package is
 * linked to, if the caller may not see it, and such a package is not to be pruned with the others.
 */
async function requireLinks(owner: string, { http, server }: ServerContext): Promise<void> {
  if (owner.toLowerCase() === server.user?.toLowerCase() || (await ifVisible(seesAllRepos(http, owner)))) return;
  const what = `--owner ${quoted(owner)} TYPE/NAME`;
  throw new UsageError(
    `Packages of ${owner} can be linked to repositories that you may not see, and would not be kept`,
    `Name the packages: ${commandOn(server, `tongs package prune ${what}`)}\nOwners of an organization and administrators need not, with a token that has read:user and read:organization.`,
  );
}

/** Throws a usage error for the old name of an owner, which redirects to the packages of the present one. */
function requireOwner(typed: string, [first]: readonly Package[]): void {
  const hint = (name: string) => `To delete their packages, pass --owner ${name}.`;
  requirePresentName(typed, first?.owner?.login ?? typed, hint);
}

async function allOwners(http: ServerContext["http"]): Promise<string[]> {
  const [users, orgs] = await Promise.all([collect(call(http, userList, {})), collect(call(http, allOrgList, {}))]);
  return [...users.map(({ login }) => login), ...orgs.map(({ name }) => name)];
}

/** Decides about the versions of a package; `failures` gets why the manifests of an image could not be read. */
async function decide(
  versions: readonly Package[],
  {
    context: { http, system },
    rules,
    isNamed,
    explains,
    failures,
  }: {
    readonly context: ServerContext & Pick<BaseContext, "system">;
    readonly rules: PruneRules;
    readonly isNamed: boolean;
    readonly explains: boolean;
    readonly failures: Failure[];
  },
): Promise<Decision[]> {
  const sorted = newestFirst(versions);
  const [first] = sorted;
  const linked = first?.repository?.full_name;
  if (linked !== undefined && !isNamed) return sorted.map((version) => ({ ...keep(`linked to ${linked}`), version }));
  if (first?.type !== "container") {
    const verdicts = decideVersions(sorted, rules);
    return sorted.map((version, index) => ({ ...(verdicts[index] ?? keep("")), version }));
  }
  const failed: Failure[] = [];
  const read = async ({ owner, type, name, version }: Package) => {
    try {
      return await readManifest(http, { owner: owner?.login ?? "", type, name, version });
    } catch (error) {
      if (system.signal.aborted) throw error;
      failed.push(asFailure(error));
      return undefined;
    }
  };
  const decisions = await decideImage(sorted, rules, { read, explains });
  const [why] = failed;
  if (why !== undefined && decisions.some(({ reason }) => reason.endsWith("could not be read")))
    failures.push(new Failure(why.code, `Could not read all manifests of ${packageLabel(first)}: ${why.message}`));
  return decisions;
}

/**
 * Deletes a version, unless one that needs it could not be deleted, or the version is another one by now. Returns whether it
 * was there.
 */
async function deleteVersion(
  { version: { id, owner, type, name, version } }: Decision,
  needing: readonly (Promise<unknown> | undefined)[],
  { http }: ServerContext,
): Promise<boolean> {
  const settled = await Promise.allSettled(needing);
  if (settled.some(({ status }) => status === "rejected"))
    throw new Failure("refused", "A version that refers to it could not be deleted");
  const target = { owner: owner?.login ?? "", type, name, version };
  const found = await find(http, packageVersionGet, target);
  if (found === undefined) return false;
  if (found.id !== id) throw new Failure("refused", "It was pushed again after the plan was made");
  // Another process can have deleted it meanwhile.
  return isFound(call(http, packageVersionDelete, target));
}

/** `container/app@v1 of tidewater` */
function placeOf(one: Package): string {
  return `${packageLabel(one)} of ${one.owner?.login}`;
}

function rowOf({ version: one, deletes, reason }: Decision): PrunedVersion {
  const { type, name, version, created_at } = one;
  return {
    owner: one.owner?.login ?? "",
    type,
    name,
    version,
    created_at,
    repository: one.repository?.full_name ?? null,
    action: deletes ? "delete" : "keep",
    reason,
  };
}
