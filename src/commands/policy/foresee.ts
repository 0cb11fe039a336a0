import type { ServerContext } from "../../app/context.ts";
import { accessIn, type LeftOut, leftOut } from "../../app/listed-users.ts";
import { type KnownRelease, knownRelease } from "../../app/server-release.ts";
import { ignoredIn } from "../../forge/branch-protections.ts";
import { branchGet } from "../../forge/branches.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { quotaGroupGet } from "../../forge/quotas.ts";
import { ignoredField, needsText } from "../../forge/support.ts";
import { teamList } from "../../forge/teams.ts";
import { userGet } from "../../forge/users.ts";
import type { Http } from "../../http/client.ts";
import { HttpError } from "../../http/errors.ts";
import { parseRepo, type RepoName } from "../../repo/repo-name.ts";
import { once } from "../../system/concurrency.ts";
import type { System } from "../../system/system.ts";
import type { Change } from "./compare.ts";
import type { Policy } from "./file.ts";
import { kindAt } from "./kinds/index.ts";
import { type Existing, listOf, placeOf, secretIn, textOf } from "./kinds/kind.ts";
import { changePlace } from "./rows.ts";
import { claimPaths } from "./wanted.ts";

/**
 * Why changes would be refused: users, teams and branches that do not exist, names that the server refuses, environment
 * variables that are not set, and fields that cannot be changed, with their place in the file. Each name is looked up once, and only if it is in a change. Sends only reads.
 */
export async function foreseen(
  changes: readonly Change[],
  policy: Policy,
  { http, server, system }: ServerContext & { readonly system: Pick<System, "env" | "confine" | "now"> },
): Promise<{ readonly problems: readonly string[]; readonly absent: readonly string[] }> {
  const exists = lookUp(http, changes);
  const access = once(String, (repository: string) => accessIn(placeOf(http, repository)));
  const release = knownRelease(server.base, system);
  const problems = await Promise.all(
    changes.map(async (change) => {
      const { repo } = placeOf(http, change.repository);
      const found = await Promise.all(
        namesIn(change).map(async ({ field, what, name }) => {
          const as = await exists(what, name, repo);
          if (as === true) return [];
          const where = what === "team" ? ` in ${repo.owner}` : "";
          const why = as === false ? `does not exist${where}` : `is now '${as}'`;
          return [{ field, value: name, message: `${what} '${name}' ${why}`, isAbsent: as === false }];
        }),
      );
      const kind = kindAt(change.repository, change.kind);
      const refused = change.action === "create" ? await kind.refusesName?.(http, change.name) : undefined;
      const misnamed =
        refused === undefined
          ? []
          : [{ field: "", value: change.name, message: `${kind.title} '${change.name}' ${refused}` }];
      const unset = unsetVariables(change, system).map(({ field, variable }) => ({
        field: `${field}_env`,
        value: variable,
        message: `environment variable ${variable} is not set`,
      }));
      const fixed = change.action === "update" ? [...(kind.fixed ?? []), ...(change.item?.fixed ?? [])] : [];
      // What follows from another field of the file is no mistake of its own.
      const isInFile = (field: string) =>
        claimPaths(policy, change.repository, { kind: change.kind, name: change.name, field, value: "" })
          .filter((path) => path.at(-1) === field)
          .some((path) => policy.place(path) !== undefined);
      const unchangeable = change.fields
        .filter(({ field }) => fixed.includes(field) && isInFile(field))
        .map(({ field, old, new: value }) => {
          const is = typeof old === "object" ? "" : `: it is '${old}'`;
          return { field, value: textOf(value), message: `${field} cannot be changed${is}` };
        });
      const lacking = await unsupported(change, { release, http, server });
      const ignored = ignoredIn(kind.without ?? [], change.values, change.item?.values);
      const off = ignored.flatMap(({ field, unit }) =>
        change.fields
          .filter((one) => one.field === field)
          .map(({ new: value }) => {
            const how = unit in change.values ? `while ${unit} is false` : `without '${unit}: true'`;
            return { field, value: textOf(value), message: `${field} is ignored ${how}` };
          }),
      );
      // Who does not exist is said above, and not asked for in each repository.
      const absent = new Set(
        found.flat().flatMap(({ field, value, isAbsent }) => (isAbsent ? [`${field} ${value}`] : [])),
      );
      const unlisted = (await withoutAccess(change, changes, { access, absent })).map(({ field, of, name }) => {
        const why = of === "users" ? "cannot write to" : "does not have";
        const what = of === "users" ? "user" : "team";
        const value = listOf(change.values[field]).find((one) => same(one, name)) ?? name;
        const problem = `${what} '${value}' ${why}`;
        return { field, value, problem, message: `${problem} ${change.repository}: the server would ignore it` };
      });
      const wrong = change.action === "delete" ? undefined : kind.refuses?.(change.item, change.values);
      const faulty = wrong === undefined ? [] : [{ field: wrong.field, value: "", message: wrong.why }];
      return [...found.flat(), ...misnamed, ...unset, ...unchangeable, ...off, ...unlisted, ...faulty, ...lacking].map(
        (one: Wrong): Problem => {
          const { field, value, message, problem = message, isAbsent = false } = one;
          const paths = claimPaths(policy, change.repository, { kind: change.kind, name: change.name, field, value });
          return { place: paths.map(policy.place).find((at) => at !== undefined), problem, message, change, isAbsent };
        },
      );
    }),
  );
  const all = problems.flat();
  return { problems: onceForEachPlace(all), absent: onceForEachPlace(all.filter(({ isAbsent }) => isAbsent)) };
}

/** What is wrong with a field of a change, and with a value in it; empty for the item itself. */
interface Wrong {
  readonly field: string;
  readonly value: string;
  readonly message: string;
  /** The message without the repository, if it names one. */
  readonly problem?: string;
  /** Whether it names who or what does not exist. */
  readonly isAbsent?: boolean;
}

/** What is wrong at a place of the file, which can be said of many repositories. */
interface Problem {
  readonly place: string | undefined;
  /** The same in all of them. */
  readonly problem: string;
  /** As it is said of the change. */
  readonly message: string;
  readonly change: Change;
  readonly isAbsent: boolean;
}

/** `policy.yml:9:21: user 'jonas' does not exist (tag protection 'v*' in mara/harbor and 199 others)`: one line for each problem. */
function onceForEachPlace(problems: readonly Problem[]): string[] {
  const groups = new Map<string, Problem[]>();
  for (const one of problems) {
    const { place = "", problem, change } = one;
    const key = JSON.stringify([place, problem, change.kind, change.name]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups.values()].flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    const { place, message, change } = first;
    const others = new Set(
      more.map(({ change: { repository } }) => repository).filter((one) => one !== change.repository),
    );
    const rest = others.size === 0 ? "" : ` and ${others.size} ${others.size === 1 ? "other" : "others"}`;
    return `${place === undefined ? "" : `${place}: `}${message} (${changePlace(change)}${rest})`;
  });
}

/** The fields to refuse that the release of the server ignores, as recordings prove. */
async function unsupported(
  { repository, kind: name, action, fields }: Change,
  { release, http, server }: Pick<ServerContext, "http" | "server"> & { readonly release: KnownRelease },
) {
  const { sends, refusedIfIgnored = [] } = kindAt(repository, name);
  const operation = action === "delete" ? undefined : sends[action === "create" ? "create" : "update"];
  const found = fields.map(async ({ field, new: value }) => {
    const since = operation && refusedIfIgnored.includes(field) ? ignoredField(operation, field) : undefined;
    const has = since && (await release.lacks(since, http));
    if (since === undefined || has === undefined || !since.by.includes(has.product)) return [];
    return [{ field, value: textOf(value), message: needsText(has, since, server.base.host, field) }];
  });
  return (await Promise.all(found)).flat();
}

/** The secrets that a change sets, and that are not in the environment. */
function unsetVariables(
  { action, fields, values }: Change,
  system: Pick<System, "env" | "confine">,
): { readonly field: string; readonly variable: string }[] {
  if (action === "unchecked") return [];
  return fields.flatMap(({ field, new: variable }) => {
    const isSecret = Object.hasOwn(values, `${field}_env`);
    const isSet = (secretIn(variable, system) ?? "") !== "";
    return isSecret && !isSet ? [{ field, variable: String(variable) }] : [];
  });
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** The names that a server would leave out of the lists of a change, without those to whom the same plan gives access. */
async function withoutAccess(
  { kind, repository, action, fields, item }: Change,
  changes: readonly Change[],
  {
    access,
    absent,
  }: {
    readonly access: (repository: string) => ReturnType<typeof accessIn>;
    /** The fields with names that do not exist. */
    readonly absent: ReadonlySet<string>;
  },
): Promise<LeftOut[]> {
  const { lists } = kindAt(repository, kind);
  if (lists === undefined || (action !== "create" && action !== "update")) return [];
  const sent = Object.fromEntries(
    fields.map(({ field, new: value }) => [field, listOf(value).filter((name) => !absent.has(`${field} ${name}`))]),
  );
  const found = await leftOut(lists, sent, item?.values ?? {}, access(repository));
  if (found.length === 0) return [];
  const gives = changes.filter(
    (one) =>
      (one.action === "create" || one.action === "update") &&
      (same(one.repository, repository) || same(one.repository, parseRepo(repository).owner)),
  );
  const teams = gives.filter((one) => one.kind === "teams");
  // Who is in a team that gets the repository is not looked up.
  const isOpen = teams.length > 0;
  const isWriter = (name: string) =>
    isOpen ||
    gives.some((one) => one.kind === "collaborators" && one.values["permission"] !== "read" && same(one.name, name));
  return found.filter(({ of, name }) =>
    of === "users" ? !isWriter(name) : !teams.some((team) => same(team.name, name)),
  );
}

interface Named {
  readonly field: string;
  readonly what: Existing;
  readonly name: string;
}

/** What a change names and does not make. */
function namesIn({ repository, kind: kindName, action, name, fields }: Change): Named[] {
  const kind = kindAt(repository, kindName);
  if (action !== "create" && action !== "update") return [];
  const own = action === "create" && kind.namesA !== undefined ? [{ field: "", what: kind.namesA, name }] : [];
  const others = fields.flatMap(({ field, old, new: value }) => {
    const what = kind.refersTo?.[field];
    const names = typeof value === "string" ? [textOf(value)] : listOf(value);
    return what === undefined
      ? []
      : names.filter((one) => !listOf(old).includes(one)).map((one) => ({ field, what, name: one }));
  });
  return [...own, ...others];
}

/**
 * Whether users, teams, branches and quota groups exist; of a user who was renamed, the new name. What the account may not see
 * counts as there: the server decides. A team that the same plan creates exists by then.
 */
function lookUp(
  http: Http,
  changes: readonly Change[],
): (what: Existing, name: string, repo: RepoName) => Promise<boolean | string> {
  const isNew = (org: string, team: string) =>
    changes.some(
      ({ repository, kind, action, name }) =>
        action === "create" && kind === "teams" && same(repository, org) && same(name, team),
    );
  const found = new Map<string, Promise<unknown>>();
  const once = <T>(key: string, ask: () => Promise<T>): Promise<T | undefined> => {
    const asked =
      found.get(key) ??
      ask().catch((error: unknown) => {
        if (error instanceof HttpError && error.status === 404) return undefined;
        throw error;
      });
    found.set(key, asked);
    return asked as Promise<T | undefined>;
  };
  const teams = async (org: string): Promise<readonly string[] | "hidden"> => {
    try {
      const all = await once(`teams ${org}`, () => collect(call(http, teamList, { org })));
      return (all ?? []).map((team) => team.name.toLowerCase());
    } catch (error) {
      if (error instanceof HttpError && error.status === 403) return "hidden";
      throw error;
    }
  };
  return async (what, name, repo) => {
    if (what === "user") {
      const found = await once(`user ${name.toLowerCase()}`, () => call(http, userGet, { username: name }));
      return found === undefined ? false : same(found.login, name) || found.login;
    }
    if (what === "quota group")
      return (await once(`quota group ${name}`, () => call(http, quotaGroupGet, { quotagroup: name }))) !== undefined;
    if (what === "branch") {
      const key = `branch ${repo.owner}/${repo.name} ${name}`;
      return (await once(key, () => call(http, branchGet, { repo, branch: name }))) !== undefined;
    }
    if (isNew(repo.owner, name)) return true;
    const all = await teams(repo.owner);
    return all === "hidden" || all.includes(name.toLowerCase());
  };
}
