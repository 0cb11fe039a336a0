import pMap, { pMapSkip } from "p-map";
import type { ServerContext } from "../../app/context.ts";
import { branchGet } from "../../forge/branches.ts";
import { collect } from "../../forge/listings.ts";
import { call, find } from "../../forge/operation.ts";
import { quotaGroupGet } from "../../forge/quotas.ts";
import { ignoredIn } from "../../forge/setting.ts";
import { teamList } from "../../forge/teams.ts";
import { userGet } from "../../forge/users.ts";
import type { Http } from "../../http/client.ts";
import { DeniedError, isFound, NotFoundError } from "../../http/errors.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";
import { once } from "../../system/concurrency.ts";
import type { System } from "../../system/system.ts";
import { grouped } from "../../text/grouped.ts";
import type { Change } from "./compare.ts";
import type { Policy } from "./file.ts";
import { kindAt } from "./kinds/index.ts";
import { type Existing, isEmpty, listOf, placeOf, secretIn, textOf } from "./kinds/kind.ts";
import { changePlace } from "./rows.ts";
import { claimPaths } from "./wanted.ts";

/**
 * Why changes would be refused or ignored: users, teams and branches that do not exist, environment variables that are not set,
 * fields that cannot be changed or emptied, and fields of what is switched off, with their place in the file. Each name is
 * looked up once, and only if it is in a change. Sends only reads.
 */
export async function foreseen(
  changes: readonly Change[],
  policy: Policy,
  { http, system }: Pick<ServerContext, "http"> & { readonly system: Pick<System, "env" | "confine"> },
): Promise<{ readonly problems: readonly string[]; readonly absent: readonly string[] }> {
  const exists = lookUp(http, changes);
  const problems = await Promise.all(
    changes.map(async (change) => {
      const { repo } = placeOf(http, change.repository);
      const named = await pMap(namesIn(change), async ({ field, what, name }): Promise<Wrong | typeof pMapSkip> => {
        const present = await exists(what, name, repo);
        if (present === true) return pMapSkip;
        const place = what === "team" ? ` in ${repo.owner}` : "";
        const why = present === false ? `does not exist${place}` : `is now '${present}'`;
        return { field, value: name, message: `${what} '${name}' ${why}`, isAbsent: true };
      });
      const own = [...unset(change, system), ...unchangeable(change), ...emptied(change), ...ignored(change)];
      const wrong = [...named, ...own];
      return wrong.map(({ field, value, ...problem }): Problem => {
        const paths = claimPaths(policy, change.repository, { kind: change.kind, name: change.name, field, value });
        return { place: paths.map(policy.place).find((at) => at !== undefined), change, ...problem };
      });
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
  /** Whether it names who or what does not exist, or has another name now. */
  readonly isAbsent?: boolean;
}

/** The secrets that a change sets, and that are not in the environment. */
function unset({ fields, values }: Change, system: Pick<System, "env" | "confine">): Wrong[] {
  return fields.flatMap(({ field, new: variable, isUnchecked = false }) => {
    if (isUnchecked || !Object.hasOwn(values, `${field}_env`) || secretIn(variable, system)) return [];
    const message = `environment variable ${String(variable)} is not set`;
    return [{ field: `${field}_env`, value: String(variable), message }];
  });
}

/** The fields that cannot be changed. */
function unchangeable({ repository, kind, action, fields, item }: Change): Wrong[] {
  const fixed = action === "update" ? [...(kindAt(repository, kind).fixed ?? []), ...(item?.fixed ?? [])] : [];
  return fields
    .filter(({ field }) => fixed.includes(field))
    .map(({ field, old, new: value }) => {
      const present = typeof old === "object" ? "" : `: it is '${old}'`;
      return { field, value: textOf(value), message: `${field} cannot be changed${present}` };
    });
}

/** The lists that must keep somebody. */
function emptied({ fields, item }: Change): Wrong[] {
  return fields.flatMap(({ field, new: value }) => {
    const why = isEmpty(value) ? item?.needed?.[field] : undefined;
    return why === undefined ? [] : [{ field, value: "", message: `${field} cannot be empty: ${why}` }];
  });
}

/** The fields that servers ignore, because what they belong to is switched off; all is refused that belongs to a unit. */
function ignored({ repository, kind, fields, values, item, off }: Change): Wrong[] {
  if (off !== undefined) {
    const message = `${off} are turned off without 'has_${off.toLowerCase()}: true'`;
    return [{ field: "", value: "", message }];
  }
  return ignoredIn(kindAt(repository, kind).without ?? [], values, item?.values).flatMap(({ field, unit }) =>
    fields
      .filter((changed) => changed.field === field)
      .map(({ new: value }) => {
        const how = unit in values ? `while ${unit} is false` : `without '${unit}: true'`;
        return { field, value: textOf(value), message: `${field} is ignored ${how}` };
      }),
  );
}

/** What is wrong at a place of the file, which can be said of many repositories. */
interface Problem {
  readonly place: string | undefined;
  readonly message: string;
  readonly change: Change;
  readonly isAbsent?: boolean;
}

/** `policy.yml:9:21: user 'jonas' does not exist (tag protection 'v*' in mara/harbor and 199 others)`: one line for each problem. */
function onceForEachPlace(problems: readonly Problem[]): string[] {
  const groups = grouped(problems, ({ place = "", message, change }) =>
    JSON.stringify([place, message, change.kind, change.name]),
  );
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

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
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
    const added = names.filter((one) => !listOf(old).includes(one));
    return what === undefined ? [] : added.map((one) => ({ field, what, name: one }));
  });
  return [...own, ...others];
}

/**
 * Says whether users, teams, branches and quota groups exist; of a user who was renamed, the new name. What the account may not
 * see counts as there: the server decides. A team that the same plan creates exists by then.
 */
function lookUp(http: Http, changes: readonly Change[]) {
  const isNew = (org: string, team: string) =>
    changes.some(
      ({ repository, kind, action, name }) =>
        action === "create" && kind === "teams" && same(repository, org) && same(name, team),
    );
  const user = once(String, (username: string) => find(http, userGet, { username }));
  const group = once(String, (quotagroup: string) => isFound(call(http, quotaGroupGet, { quotagroup })));
  const branch = once(
    (repo: RepoName, name: string) => `${fullName(repo)} ${name}`,
    (repo, name) => isFound(call(http, branchGet, { repo, branch: name })),
  );
  const teams = once(String, (org: string) =>
    collect(call(http, teamList, { org })).catch((error: unknown) => {
      if (error instanceof DeniedError) return undefined;
      if (error instanceof NotFoundError) return [];
      throw error;
    }),
  );
  return async (what: Existing, name: string, repo: RepoName): Promise<boolean | string> => {
    if (what === "quota group") return group(name);
    if (what === "branch") return branch(repo, name);
    if (what === "user") {
      const found = await user(name.toLowerCase());
      return found !== undefined && (same(found.login, name) || found.login);
    }
    if (isNew(repo.owner, name)) return true;
    return (await teams(repo.owner))?.some((team) => same(team.name, name)) ?? true;
  };
}
