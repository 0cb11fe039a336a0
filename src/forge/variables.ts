import pMap from "p-map";
import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import type { Listing } from "../http/pages.ts";
import { type Path, path } from "../http/path.ts";
import { type Infer, integer, optional, serverRecord, string } from "../shape/shape.ts";
import { actionsPath, type Level } from "./level.ts";
import { collect } from "./listings.ts";
import { nameProblem } from "./setting-names.ts";

/** A variable of Actions. Names are stored in upper case, and found in any case. */
export const variable = serverRecord(
  "a variable",
  {
    owner_id: optional(integer),
    repo_id: optional(integer),
    name: string,
    data: string,
    description: optional(string),
  },
  ["name", "data", "description"],
);

export type Variable = Infer<typeof variable>;

/** The body of `POST …/variables/{name}`. A value is never empty; Forgejo ignores the description. */
export interface CreateVariableOption {
  readonly value: string;
  readonly description?: string | undefined;
}

/** The body of `PUT …/variables/{name}`. An absent description is cleared; `name` is the new name. */
export interface UpdateVariableOption extends CreateVariableOption {
  readonly name?: string | undefined;
}

const since = "1.22 and Forgejo 8.0";

/** Variables of a repository, an organization or the caller. No server has them for the whole server. */
export function variablesApi(http: Http) {
  const all = (owner: Level): Path => `${actionsPath(owner)}/variables` as Path;
  const one = (owner: Level, name: string): Path => `${all(owner)}${path`/${name}`}` as Path;
  const get = (owner: Level, name: string) => http.get(one(owner, name), { answers: json(variable), since });
  const list = (owner: Level) => http.list(all(owner), { items: variable, unique: "name", since });

  return {
    list: (owner: Level) => withValues(http, list(owner), (name) => get(owner, name)),

    /** The same without values, for completion: one request on Forgejo, too. */
    names: list,

    get,

    create: (owner: Level, name: string, body: CreateVariableOption) =>
      http.post(one(owner, name), { body, answers: nothing, since }),

    /** A new name that is taken is an internal error of the server. */
    update: (owner: Level, name: string, body: UpdateVariableOption) =>
      http.put(one(owner, name), { body, answers: nothing, since }),

    delete: (owner: Level, name: string) => http.delete(one(owner, name), { answers: nothing, since }),

    /** Why the server refuses a name; undefined if it accepts it. */
    nameProblem: (name: string) => nameProblem(http, "variable", name),
  };
}

/**
 * Adds the values that a list omits: Forgejo lists the variables of a repository with empty values, which no variable has
 * (docs/server-differences.md, "Variables and secrets").
 */
function withValues(
  http: Http,
  listing: Listing<Variable>,
  get: (name: string) => Promise<Variable>,
): Listing<Variable> {
  return {
    async *take(limit) {
      const listed = await collect({ take: () => listing.take(limit) });
      const read = async (item: Variable) => (item.data === "" ? http.ifReadable(get(item.name)) : item);
      for (const item of await pMap(listed, read, { concurrency: 8 })) if (item !== undefined) yield item;
    },
    get total() {
      return listing.total;
    },
  };
}
