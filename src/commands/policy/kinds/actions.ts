import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import { secretDelete, secretList, secretSet, setSecret } from "../../../forge/secrets.ts";
import { listVariables, variableCreate, variableDelete, variableUpdate } from "../../../forge/variables.ts";
import { string } from "../../../shape/shape.ts";
import { type Kind, textOf } from "./kind.ts";

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
  // Servers store values with these line ends.
  normalize: (values) =>
    "value" in values ? { ...values, value: textOf(values["value"]).replaceAll("\r\n", "\n") } : values,
  async read({ http, level }) {
    return (await collect(listVariables(http, level))).map(({ name, data, description }) => ({
      name,
      values: { value: data, ...(description === undefined ? {} : { description }) },
      // A description that is not sent is cleared (docs/server-differences.md, "Variables and secrets").
      update: (changed) => {
        const body = { value: data, ...(description && { description }), ...changed };
        return call(http, variableUpdate, { level, variablename: name }, body);
      },
      remove: () => call(http, variableDelete, { level, variablename: name }),
    }));
  },
  create: ({ http, level }, name, values) =>
    call(http, variableCreate, { level, variablename: name }, { ...values, value: textOf(values["value"]) }),
};

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
  async read({ http, level }) {
    return (await collect(call(http, secretList, { level }))).map(({ name, description }) => ({
      name,
      values: {},
      async update(_changed, all) {
        await setSecret(http, level, name, { data: textOf(all["data"]), ...(description && { description }) });
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
