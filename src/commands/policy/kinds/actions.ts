import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import { secretDelete, secretList, secretSet, setSecret } from "../../../forge/secrets.ts";
import { nameProblem } from "../../../forge/setting-names.ts";
import { listVariables, variableCreate, variableDelete, variableUpdate } from "../../../forge/variables.ts";
import { string } from "../../../shape/shape.ts";
import { type Kind, pick, textOf, type Values } from "./kind.ts";

/** The Actions variables of a repository or an organization, by name. */
export const variables: Kind = {
  title: "variable",
  description: "Actions variables by name, with their value",
  sends: { create: variableCreate, update: variableUpdate, delete: variableDelete },
  form: "named",
  fields: { value: string, description: string },
  required: ["value"],
  short: "value",
  key: (name) => name.toUpperCase(),
  refusesName: (http, name) => nameProblem(http, "variable", name),
  normalize: (values) => ("value" in values ? { ...values, value: lines(values) } : values),
  async read({ http, level }) {
    return (await collect(listVariables(http, level))).map(({ name, data, description }) => ({
      name,
      values: { value: data, ...(description === undefined ? {} : { description }) },
      async update(changed) {
        // A description that is not sent is cleared (docs/server-differences.md, "Variables and secrets").
        const kept = textOf(changed["description"]) || description;
        const value = typeof changed["value"] === "string" ? changed["value"] : data;
        await call(
          http,
          variableUpdate,
          { level, variablename: name },
          { value, ...(kept === undefined ? {} : { description: kept }) },
        );
        return undefined;
      },
      remove: () => call(http, variableDelete, { level, variablename: name }),
    }));
  },
  async create({ http, level }, name, values) {
    const body = { ...pick(values, { description: string }), value: textOf(values["value"]) };
    await call(http, variableCreate, { level, variablename: name }, body);
    return undefined;
  },
};

/** A value with the line ends that servers store. */
function lines(values: Values): string {
  return textOf(values["value"]).replace(/\r\n/g, "\n");
}

/** The Actions secrets of a repository or an organization, by name. No server returns their values. */
export const secrets: Kind = {
  title: "secret",
  description: "Actions secrets by name, with the environment variable that has the value",
  sends: { create: secretSet, update: secretSet, delete: secretDelete },
  form: "named",
  fields: { data_env: string },
  required: ["data_env"],
  short: "data_env",
  key: (name) => name.toUpperCase(),
  refusesName: (http, name) => nameProblem(http, "secret", name),
  async read({ http, level }) {
    return (await collect(call(http, secretList, { level }))).map(({ name, description }) => ({
      name,
      values: {},
      async update(_changed, all) {
        const kept = description === undefined ? {} : { description };
        await setSecret(http, level, name, { data: textOf(all["data"]), ...kept });
        return undefined;
      },
      remove: () => call(http, secretDelete, { level, secretname: name }),
    }));
  },
  async create({ http, level }, name, values) {
    await setSecret(http, level, name, { data: textOf(values["data"]) });
    return undefined;
  },
};
