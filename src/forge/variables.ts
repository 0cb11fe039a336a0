import pMap from "p-map";
import type { Http } from "../http/client.ts";
import type { Listing } from "../http/pages.ts";
import { type Infer, integer, optional, serverRecord, string } from "../shape/shape.ts";
import { asName } from "./applied.ts";
import type { SettingLevel } from "./level.ts";
import { collect } from "./listings.ts";
import { call, operation, pagesOf } from "./operation.ts";
import { fieldsOf, hasFields, isAbsent, type Undo, unchanged } from "./undo.ts";

/** A variable of Actions. Names are stored in upper case, and found in any case. */
export const variable = serverRecord(
  "a variable",
  { name: string, data: string, description: optional(string) },
  { owner_id: optional(integer), repo_id: optional(integer) },
);

export type Variable = Infer<typeof variable>;

/** Variables of a repository, an organization or the caller. No server has them for the whole server. */
const levels = ["repository", "organization", "user"] as const;

/** Forgejo before 14.0 lists the variables of a repository with empty values. */
export const variableList = operation("GET", "{level}/actions/variables", {
  levels,
  answers: pagesOf(variable, { unique: "name" }),
});

export const variableGet = operation("GET", "{level}/actions/variables/{variablename}", { levels, answers: variable });

/** Forgejo has no descriptions, which the answer does not tell. */
const applied = {
  answered: ["description"],
  after: {
    fields: ["description"],
    read: (http: Http, at: VariablePlace, { name }: { readonly name?: string | undefined }) =>
      call(http, variableGet, { ...at, variablename: name ?? at.variablename }),
  },
  hint: "The server has no descriptions of variables.",
} as const;

interface VariablePlace {
  readonly level: SettingLevel;
  readonly variablename: string;
}

/** A variable is deleted that was new, and has the name, the value and the description back that it had. */
const undo: Undo = {
  async reads({ method, path }, read) {
    if (method === "POST") return null;
    const { data: value, description } = fieldsOf(await read.record(path));
    return value === undefined ? null : { value, description };
  },
  inverse({ method, before, body, parameters, path, at }) {
    const { name, value: set } = fieldsOf(body);
    const isAsLeft = hasFields(path, { data: set });
    if (method === "POST") return { request: { method: "DELETE", path }, isAsLeft, isAsBefore: isAbsent(path) };
    if (before === null) return unchanged;
    const { value, description } = fieldsOf(before);
    const back = { value, ...(description ? { description } : {}) };
    if (method === "DELETE") return { request: { method: "POST", path, body: back }, isAsLeft: isAbsent(path) };
    const [parameter = "", old = ""] = [...parameters].at(-1) ?? [];
    const isRenamed = typeof name === "string" && name !== "" && name.toUpperCase() !== old.toUpperCase();
    const place = isRenamed ? at(undefined, { [parameter]: name }) : path;
    return {
      request: { method: "PUT", path: place, body: isRenamed ? { ...back, name: old } : back },
      isAsLeft: hasFields(place, { data: set }),
    };
  },
};

/** A value is never empty; Forgejo ignores the description. */
export const variableCreate = operation("POST", "{level}/actions/variables/{variablename}", { levels, undo, applied });

/**
 * An absent description is cleared; `name` is the new name. A new name that is taken is an internal error of the
 * server.
 */
export const variableUpdate = operation("PUT", "{level}/actions/variables/{variablename}", {
  levels,
  undo,
  applied: { ...applied, reads: { name: asName((read) => (read as Variable).name) } },
});

export const variableDelete = operation("DELETE", "{level}/actions/variables/{variablename}", { levels, undo });

/** Variables with their values; `variableList` alone is enough for names, and always one request. */
export function listVariables(http: Http, level: SettingLevel): Listing<Variable> {
  const listing = call(http, variableList, { level });
  return withValues(http, listing, (name) => call(http, variableGet, { level, variablename: name }));
}

/**
 * Adds the values that a list omits, in which they are empty, as no variable is (docs/server-differences.md, "Variables and
 * secrets").
 */
function withValues(
  http: Http,
  listing: Listing<Variable>,
  get: (name: string) => Promise<Variable>,
): Listing<Variable> {
  return {
    async *take(limit) {
      const listed = await collect(listing, limit);
      const read = async (item: Variable) => (item.data === "" ? http.ifReadable(get(item.name)) : item);
      for (const item of await pMap(listed, read, { concurrency: 8 })) if (item !== undefined) yield item;
    },
    get total() {
      return listing.total;
    },
  };
}
