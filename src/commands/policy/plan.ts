import pMap from "p-map";
import type { BaseContext, ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { names } from "../../command/flags.ts";
import { type Failure, UsageError } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { presentOrgName } from "../../forge/orgs.ts";
import { type Repository, repoGet } from "../../forge/repos.ts";
import { userGet } from "../../forge/users.ts";
import type { Http } from "../../http/client.ts";
import { DeniedError, HttpError, ifVisible, NotFoundError, RateLimitedError, ServerError } from "../../http/errors.ts";
import { addressText } from "../../profiles/server.ts";
import { fullName, parseRepo } from "../../repo/repo-name.ts";
import { listed } from "../../text/words.ts";
import { type Change, compare } from "./compare.ts";
import { type OwnerSection, type Policy, readPolicy, throwProblems } from "./file.ts";
import { type Fingerprints, openFingerprints } from "./fingerprints.ts";
import { foreseen } from "./foresee.ts";
import { kindIn, type SectionName } from "./kinds/index.ts";
import { placeOf, secretIn } from "./kinds/kind.ts";
import { ownRemovals } from "./own-access.ts";
import { reposText } from "./repositories.ts";
import { changeColumns, changeRow, rowsOf, summary } from "./rows.ts";
import { claimPaths, type Selection, selectOwners, selectRepos, unselected, wantedFor } from "./wanted.ts";

/** The flags that select repositories. */
export const selectionFlags = {
  org: names("these organizations and all their repositories", { placeholder: "ORG", source: "organization" }),
  repo: names("these repositories (default: those that the file names)", { short: "R", placeholder: "OWNER/NAME" }),
};

/** The argument of the commands that read a policy file. */
export const fileArg = { file: one("policy file, YAML", { dash: "stdin", names: "input file" }) };

/** What is read at a time: repositories, each with its kinds. Connections are limited anyway. */
const jobs = 8;

/** A repository, an organization or a user that a policy is compared with. */
interface Target {
  readonly of: SectionName;
  readonly name: string;
}

type PlanContext = ServerContext & Pick<BaseContext, "system" | "out">;

/**
 * The changes that a policy makes in one place, in the order in which they are applied, and the record of a repository, if its
 * settings were read for them. What only administrators may read is not checked.
 */
async function changesIn(
  { of, name: place }: Target,
  policy: Policy,
  { http, system, out }: PlanContext,
  fingerprints: Fingerprints,
) {
  const wanted = wantedFor(policy, place);
  let record: Repository | undefined;
  const changes = await pMap([...wanted.kinds], async ([kindName, { items, left }]): Promise<readonly Change[]> => {
    const kind = kindIn(of, kindName);
    const base = { repository: place, kind: kindName };
    // Settings are changed first.
    const isOn = (unit = "") => wanted.kinds.get("settings")?.items.get("")?.[`has_${unit.toLowerCase()}`] === true;
    let off: string | undefined;
    const found = await kind.read(placeOf(http, place), items).catch((error: unknown) => {
      off = error instanceof NotFoundError ? error.off : undefined;
      if (off !== undefined) return [];
      if (!(error instanceof DeniedError) || kind.needsAdmin !== true) throw error;
      const [at] = claimPaths(policy, place, undefined).flatMap((path) => policy.place([...path, kindName]) ?? []);
      out.warn(`${at === undefined ? "" : `${at}: `}${kind.title}s of ${place} cannot be read: ${error.message}`);
      return undefined;
    });
    const unchecked = { ...base, action: "unchecked", fields: [], values: {}, item: undefined } as const;
    if (found === undefined)
      return (items.size === 0 ? [""] : [...items.keys()]).map((name) => ({ ...unchecked, name }));
    record ??= found.find(({ repository }) => repository !== undefined)?.repository;
    const compared = compare({
      ...base,
      wanted: items,
      left,
      prune: wanted.prune,
      found,
      secretState: ({ name, field, variable }) =>
        fingerprints.compare([place, kindName, name, field], secretIn(variable, system)),
    });
    const refused = isOn(off) ? undefined : off;
    return pMap(compared, async (change) => ({ ...(await withLost(change)), off: refused }), { concurrency: jobs });
  });
  return { changes: archivedLast(changes.flat()), record };
}

/** A change with the members that are removed with what it deletes. */
async function withLost(change: Change): Promise<Change> {
  const lost = change.action === "delete" ? await change.item?.members?.() : undefined;
  return lost === undefined ? change : { ...change, lost };
}

/** An archived repository refuses most changes, so archiving is the last one. */
function archivedLast(changes: readonly Change[]): Change[] {
  const archives = ({ fields }: Change) =>
    fields.some(({ field, new: value }) => field === "archived" && value === true);
  return [...changes.filter((one) => !archives(one)), ...changes.filter(archives)];
}

interface Plan {
  readonly changes: readonly Change[];
  /** The items whose changes take away what the caller may do, so that they are the last ones, with what that is. */
  readonly leaving: ReadonlyMap<Change["item"], string>;
  readonly fingerprints: Fingerprints;
  /** Where they are: `2 repositories`. */
  readonly places: string;
  /** Archived repositories that differ from the file, and are left as they are. */
  readonly skipped: readonly string[];
  /** Why places could not be read: a repository does not exist. */
  readonly unread: readonly string[];
  /** Why changes would be refused. */
  readonly problems: readonly string[];
  /** Those of them that name who or what does not exist, or has another name now. */
  readonly absent: readonly string[];
  /** Whether sections of the file select nothing. */
  readonly isEmpty: boolean;
}

/** Reads the file and compares it with what exists, several places at a time. */
export async function makePlan(context: PlanContext, file: string, selection: Selection): Promise<Plan> {
  const { http, out } = context;
  const policy = await readPolicy(file, context.system);
  const repos = await selectRepos(selection, http, policy);
  const owners = selectOwners(selection, policy);
  const idle = unselected(policy, selection, { repos, owners });
  for (const text of idle) out.warn(text);
  const isEmpty = idle.length > 0;
  if (isEmpty && selection.org.length === 0) out.note("To select repositories, pass --org or --repo.");
  const fingerprints = openFingerprints(context.system, addressText(context.server.base));
  const skipped: string[] = [];
  const renamed = new Set<string>();
  const failures: Unread[] = [];
  const read = async (target: Target): Promise<readonly Change[]> => {
    const { of, name } = target;
    const { changes, record } = await changesIn(target, policy, context, fingerprints);
    // Of what the file names and says nothing of, nothing was read: it must exist, too.
    const isSeen = selection.org.length > 0 || wantedFor(policy, name).kinds.size > 0;
    if (changes.length === 0 && isSeen) return changes;
    const repo = of === "repositories" ? (record ?? (await call(http, repoGet, { repo: parseRepo(name) }))) : undefined;
    const shown = repo?.full_name ?? presentName(target, http);
    const present = (await (isSeen ? ifVisible(Promise.resolve(shown)) : shown)) ?? name;
    if (present.toLowerCase() !== name.toLowerCase())
      renamed.add(`${placeOfSection(policy, name)}'${name}' is now '${present}'`);
    if (changes.length === 0 || repo?.archived !== true || changes.some(changesArchived)) return changes;
    out.warn(`Skipped ${name}: it is archived`);
    skipped.push(name);
    return [];
  };
  const targets = [...owners, ...repos.map((repo): Target => ({ of: "repositories", name: fullName(repo) }))];
  const readOrFail = (target: Target) =>
    read(target).catch((error: unknown) => {
      failures.push(unreadOf(error, target.name, policy));
      return [];
    });
  const changes = (await pMap(targets, readOrFail, { concurrency: jobs })).flat();
  const [refusals, leaving] = await Promise.all([foreseen(changes, policy, context), ownRemovals(changes, context)]);
  const problems = [...renamed, ...refusals.problems];
  for (const what of leaving.values())
    out.warn(`This ${what}, after which you may not be able to change or undo anything there, so it is done last`);
  // What the server refuses everywhere is not a fault of the file.
  const [failed] = failures;
  const isOne = failures.every(({ error }) => error.message === failed?.error.message);
  if (failed !== undefined && !failed.isMissing && isOne && problems.length === 0) throw failed.error;
  return {
    changes,
    leaving,
    fingerprints,
    places: placesText(owners, repos.length),
    skipped: skipped.toSorted(),
    unread: [...new Set(failures.map(({ problem }) => problem))],
    problems,
    absent: [...renamed, ...refusals.absent],
    isEmpty,
  };
}

/** The name that an organization or a user has now: servers redirect even writes from old ones. */
async function presentName({ of, name }: Target, http: Http): Promise<string> {
  return of === "organizations" ? presentOrgName(http, name) : (await call(http, userGet, { username: name })).login;
}

/** The place of the section of a repository, an organization or a user, for the line about it: `policy.yml:9:5: `. */
function placeOfSection(policy: Policy, name: string): string {
  const [at] = claimPaths(policy, name, undefined).flatMap((path) => policy.place(path) ?? []);
  return at === undefined ? "" : `${at}: `;
}

/** A place that could not be read. */
interface Unread {
  readonly error: Failure;
  readonly problem: string;
  /** Whether the file names what does not exist. */
  readonly isMissing: boolean;
}

/** A refusal of one place, which the others are read after. Throws all other errors. */
function unreadOf(error: unknown, place: string, policy: Policy): Unread {
  const isRefusal = error instanceof HttpError && !(error instanceof ServerError || error instanceof RateLimitedError);
  if (!isRefusal && !(error instanceof UsageError)) throw error;
  const at = placeOfSection(policy, place);
  return { error, problem: `${at}${error.message}`, isMissing: at !== "" && error instanceof NotFoundError };
}

/** `1 organization, 1 user and 2 repositories` */
function placesText(owners: readonly OwnerSection[], repos: number): string {
  const count = (of: OwnerSection["of"]) => owners.filter((one) => one.of === of).length;
  const [orgs, users] = [count("organizations"), count("users")];
  const parts = [
    ...(orgs === 0 ? [] : [orgs === 1 ? "1 organization" : `${orgs} organizations`]),
    ...(users === 0 ? [] : [users === 1 ? "1 user" : `${users} users`]),
    ...(repos === 0 && owners.length > 0 ? [] : [reposText(repos)]),
  ];
  return listed(parts);
}

/** Whether a change archives a repository, or ends that: an archived one refuses all others. */
function changesArchived({ kind, fields }: Change): boolean {
  return kind === "settings" && fields.some(({ field }) => field === "archived");
}

const notChecked =
  "What the server does not return, such as a secret that was not applied from this machine, is listed as unchecked.";

/** `tongs policy plan`: compares a policy file with what exists. */
export const plan = defineCommand({
  summary: "Show what a policy file would change",
  exits: { usage: "the file has errors, names what does not exist, or says nothing of what is selected" },
  details: `Prints one row per field, with its old and new value, and what would be refused: users, teams and branches that do not exist, environment variables that are not set, fields that cannot be changed or emptied. Archived repositories that differ are skipped: each is one row. Items that are not in the file, members of teams included, are removed only with 'prune: true'; one with a name and no value is kept as it is. Under 'organizations', the file has teams, labels, hooks, variables, secrets and quota groups of organizations themselves, under 'users' quota groups of users. With 'extends: base.yml', the file overrides another one: defaults come first, then repositories. ${notChecked}`,
  on: "server",
  effect: "read",
  lists: ["change", "changes"],
  args: fileArg,
  flags: selectionFlags,
  output: changeRow,
  examples: [["Show what would change in an organization", "tongs policy plan policy.yml --org tidewater"]],
  async run(context) {
    const { args, flags, options, out } = context;
    const { changes, places, skipped, unread, problems } = await makePlan(context, args.file, flags);
    await out.list(rowsOf(changes, skipped), changeColumns, { unlimited: options.limit === undefined });
    out.note(summary(changes, places, skipped));
    throwProblems([...unread, ...problems]);
  },
});

/** `tongs policy check`: the plan, and exit 1 if something differs. */
export const check = defineCommand({
  summary: "Check that repositories match a policy file",
  details: `Prints what differs, as policy plan does, and exits with 1 if something does, or with 2 if a section of the file selects nothing: without --org, a pattern selects only repositories that the file names. ${notChecked} It exits with 11 if nothing else differs. An archived repository that is skipped is no difference; it is one row.`,
  on: "server",
  effect: "read",
  lists: ["change", "changes"],
  args: fileArg,
  flags: selectionFlags,
  output: changeRow,
  exits: {
    failure: "something differs from the file, or is there twice",
    partly: "nothing differs, but something could not be checked",
    usage: "the file has errors, names what does not exist, or has sections that select nothing",
  },
  examples: [["Fail a CI job when settings differ", "tongs policy check policy.yml --repo mara/harbor"]],
  async run(context) {
    const { args, flags, options, out } = context;
    const { changes, places, skipped, unread, absent, isEmpty } = await makePlan(context, args.file, flags);
    throwProblems(unread);
    await out.list(rowsOf(changes, skipped), changeColumns, { unlimited: options.limit === undefined });
    out.note(summary(changes, places, skipped));
    throwProblems(absent);
    if (isEmpty) throw new UsageError("Sections of the file select no repositories", "They are named above.");
    if (changes.some(({ action }) => action !== "unchecked")) return "failure";
    return changes.length > 0 ? "partly" : undefined;
  },
});
