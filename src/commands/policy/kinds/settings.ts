import { UsageError } from "../../../failure/failure.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import { editRepo, repoEdit, unitSettings, withUnits } from "../../../forge/repo-settings.ts";
import type { Repository } from "../../../forge/repos.ts";
import { repoGet, repoSettings, unitRecords } from "../../../forge/repos.ts";
import { type Settings, shapesOf } from "../../../forge/setting.ts";
import { topicAdd, topicList, topicRemove } from "../../../forge/topics.ts";
import { record } from "../../../shape/shape.ts";
import { fieldsOfSettings, isEmpty, type Kind, pick, type Values } from "./kind.ts";

/** What stands for a unit, and what is in it. */
const units = Object.entries(unitRecords);
const { fields, refersTo } = fieldsOfSettings(repoSettings);
const inner = units.map(([name, { settings }]) => [name, record(shapesOf<Settings>(settings))] as const);

/** The settings of a repository, with its merge styles. */
export const settings: Kind = {
  title: "settings",
  description: "settings and merge styles",
  sends: { update: repoEdit },
  form: "fields",
  fields: { ...fields, ...Object.fromEntries(inner) },
  ...(refersTo && { refersTo }),
  without: unitSettings,
  normalize(values) {
    const both = ["internal_tracker", "external_tracker"].filter((name) => !isEmpty(values[name] ?? {}));
    if (both.length > 1) throw new UsageError(`${both.join(" and ")} exclude each other`);
    return values;
  },
  async read({ http, repo }) {
    const found = await call(http, repoGet, { repo });
    const values = valuesOf(found);
    return [
      {
        name: "",
        values,
        repository: found,
        update: async (changed) => valuesOf(await editRepo(http, repo, withUnits(changed, values), found)),
      },
    ];
  },
};

/** What the server has; nothing for a unit that something else stands for. */
function valuesOf(found: Repository): Values {
  const record: Readonly<Record<string, unknown>> = found;
  const inner = units.map(([name, { settings }]) => {
    const values = Object.entries(pick(record[name] ?? {}, shapesOf<Settings>(settings))).filter(
      ([, value]) => value !== "",
    );
    return [name, Object.fromEntries(values)];
  });
  return { ...pick(found, settings.fields), ...Object.fromEntries(inner) };
}

/** The topics of a repository: names in lower case. */
export const topics: Kind = {
  title: "topic",
  description: "topics",
  sends: { create: topicAdd, delete: topicRemove },
  form: "names",
  fields: {},
  key: (name) => name.toLowerCase(),
  nameProblem: (name) =>
    /^[a-z0-9][a-z0-9.-]{0,34}$/.test(name)
      ? undefined
      : "must begin with a letter or digit, then have up to 34 of a-z 0-9 - .",
  async read({ http, repo }) {
    return (await collect(call(http, topicList, { repo }))).map((name) => ({
      name,
      values: {},
      remove: () => call(http, topicRemove, { repo, topic: name }),
    }));
  },
  create: ({ http, repo }, name) => call(http, topicAdd, { repo, topic: name }),
};
