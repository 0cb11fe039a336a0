import { branchGet } from "../../forge/branches.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { teamList } from "../../forge/teams.ts";
import { userGet } from "../../forge/users.ts";
import type { Http } from "../../http/client.ts";
import { HttpError } from "../../http/errors.ts";
import type { RepoName } from "../../repo/repo-name.ts";
import type { System } from "../../system/system.ts";
import type { Change } from "./compare.ts";
import type { Policy } from "./file.ts";
import { kinds } from "./kinds/index.ts";
import { type Existing, ignoredIn, listOf, placeOf, secretIn, textOf } from "./kinds/kind.ts";
import { changePlace } from "./rows.ts";
import { claimPaths } from "./wanted.ts";

/**
 * Why changes would be refused: users, teams and branches that do not exist, names that the server refuses, environment
 * variables that are not set, and fields that cannot be changed, with their place in the file. Each name is looked up once, and only if it is in a change. Sends only reads.
 */
export async function foreseen(
  changes: readonly Change[],
  policy: Policy,
  { http, system }: { readonly http: Http; readonly system: Pick<System, "env" | "confine"> },
): Promise<string[]> {
  const known = lookUp(http);
  const problems = await Promise.all(
    changes.map(async (change) => {
      const { repo } = placeOf(http, change.repository);
      const found = await Promise.all(
        namesIn(change).map(async ({ field, what, name }) => {
          if (await known(what, name, repo)) return [];
          const where = what === "team" ? ` in ${repo.owner}` : "";
          return [{ field, value: name, message: `${what} '${name}' does not exist${where}` }];
        }),
      );
      const refused =
        change.action === "create" ? await kinds[change.kind].refusesName?.(http, change.name) : undefined;
      const misnamed =
        refused === undefined
          ? []
          : [{ field: "", value: change.name, message: `${kinds[change.kind].title} '${change.name}' ${refused}` }];
      const unset = unsetVariables(change, system).map(({ field, variable }) => ({
        field: `${field}_env`,
        value: variable,
        message: `environment variable ${variable} is not set`,
      }));
      const fixed = change.action === "update" ? (kinds[change.kind].fixed ?? []) : [];
      const unchangeable = change.fields.flatMap(({ field, old, new: value }) =>
        fixed.includes(field)
          ? [{ field, value: textOf(value), message: `${field} cannot be changed: it is '${textOf(old)}'` }]
          : [],
      );
      const off = ignoredIn(kinds[change.kind], change.values).flatMap(({ field, unit }) =>
        change.fields
          .filter((one) => one.field === field)
          .map(({ new: value }) => {
            return { field, value: textOf(value), message: `${field} is ignored while ${unit} is false` };
          }),
      );
      return [...found.flat(), ...misnamed, ...unset, ...unchangeable, ...off].map(({ field, value, message }) => {
        const paths = claimPaths(policy, change.repository, { kind: change.kind, name: change.name, field, value });
        const place = paths.map(policy.place).find((one) => one !== undefined);
        return `${place === undefined ? "" : `${place}: `}${message} (${changePlace(change)})`;
      });
    }),
  );
  return [...new Set(problems.flat())];
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

interface Named {
  readonly field: string;
  readonly what: Existing;
  readonly name: string;
}

/** What a change names and does not make. */
function namesIn({ kind: kindName, action, name, fields }: Change): Named[] {
  const kind = kinds[kindName];
  if (action !== "create" && action !== "update") return [];
  const own = action === "create" && kind.namesA !== undefined ? [{ field: "", what: kind.namesA, name }] : [];
  const others = fields.flatMap(({ field, new: value }) => {
    const what = kind.refersTo?.[field];
    const names = typeof value === "string" ? [textOf(value)] : listOf(value);
    return what === undefined ? [] : names.map((one) => ({ field, what, name: one }));
  });
  return [...own, ...others];
}

/** Whether users, teams and branches exist. What the account may not see counts as there: the server decides. */
function lookUp(http: Http): (what: Existing, name: string, repo: RepoName) => Promise<boolean> {
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
    if (what === "user")
      return (await once(`user ${name.toLowerCase()}`, () => call(http, userGet, { username: name }))) !== undefined;
    if (what === "branch") {
      const key = `branch ${repo.owner}/${repo.name} ${name}`;
      return (await once(key, () => call(http, branchGet, { repo, branch: name }))) !== undefined;
    }
    const all = await teams(repo.owner);
    return all === "hidden" || all.includes(name.toLowerCase());
  };
}
