import { collect } from "../../../forge/listings.ts";
import { string } from "../../../shape/shape.ts";
import { type Kind, pick, textOf, type Values } from "./kind.ts";

/** The Actions variables of a repository, by name. */
export const variables: Kind = {
  title: "variable",
  description: "Actions variables by name, with their value",
  form: "named",
  fields: { value: string, description: string },
  required: ["value"],
  short: "value",
  key: (name) => name.toUpperCase(),
  normalize: (values) => ("value" in values ? { ...values, value: lines(values) } : values),
  async read({ forge, repo }) {
    const owner = { of: "repository", repo } as const;
    return (await collect(forge.variables.list(owner))).map(({ name, data, description }) => ({
      name,
      values: { value: data, ...(description === undefined ? {} : { description }) },
      async update(changed) {
        // A description that is not sent is cleared (docs/server-differences.md, "Variables and secrets").
        const kept = textOf(changed["description"]) || description;
        const value = typeof changed["value"] === "string" ? changed["value"] : data;
        await forge.variables.update(owner, name, { value, ...(kept === undefined ? {} : { description: kept }) });
        return undefined;
      },
      remove: () => forge.variables.delete(owner, name),
    }));
  },
  async create({ forge, repo }, name, values) {
    const body = { ...pick(values, { description: string }), value: textOf(values["value"]) };
    await forge.variables.create({ of: "repository", repo }, name, body);
    return undefined;
  },
};

/** A value with the line ends that servers store. */
function lines(values: Values): string {
  return textOf(values["value"]).replace(/\r\n/g, "\n");
}

/** The Actions secrets of a repository, by name. No server returns their values. */
export const secrets: Kind = {
  title: "secret",
  description: "Actions secrets by name, with the environment variable that has the value",
  form: "named",
  fields: { data_env: string },
  required: ["data_env"],
  short: "data_env",
  key: (name) => name.toUpperCase(),
  async read({ forge, repo }) {
    const owner = { of: "repository", repo } as const;
    return (await collect(forge.secrets.list(owner))).map(({ name, description }) => ({
      name,
      values: {},
      async update(_changed, all) {
        const kept = description === undefined ? {} : { description };
        await forge.secrets.set(owner, name, { data: textOf(all["data"]), ...kept });
        return undefined;
      },
      remove: () => forge.secrets.delete(owner, name),
    }));
  },
  async create({ forge, repo }, name, values) {
    await forge.secrets.set({ of: "repository", repo }, name, { data: textOf(values["data"]) });
    return undefined;
  },
};
