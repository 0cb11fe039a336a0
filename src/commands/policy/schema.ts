import { defineCommand } from "../../app/define.ts";
import type { Shape } from "../../shape/shape.ts";
import { anything } from "../../shape/shape.ts";
import { kindIn, type SectionName, sectionKinds } from "./kinds/index.ts";
import type { Kind } from "./kinds/kind.ts";

/** `tongs policy schema`: prints the JSON Schema of policy files. */
export const schema = defineCommand({
  summary: "Print the JSON Schema of policy files, for editors",
  details:
    "Editors with yaml-language-server use it if the policy file starts with this line: " +
    "# yaml-language-server: $schema=policy.schema.json. The output is JSON even without --json.",
  on: "nothing",
  effect: "read",
  output: anything,
  examples: [["Write the schema to a file", "tongs policy schema > policy.schema.json"]],
  async run({ out }) {
    const described = policySchema();
    if (out.records) await out.record(described, () => ({ fields: [] }));
    else await out.raw(`${JSON.stringify(described, null, 2)}\n`);
  },
});

/** The JSON Schema (draft 2020-12) of a policy file. */
function policySchema() {
  const prune = { type: "boolean", description: "remove what the file does not have, in the kinds that it has" };
  const sectionOf = (of: SectionName) => ({
    type: ["object", "null"],
    additionalProperties: false,
    properties: {
      prune,
      ...Object.fromEntries(sectionKinds[of].map((name) => [name, schemaOfKind(kindIn(of, name))])),
    },
  });
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Policy of tongs",
    type: ["object", "null"],
    additionalProperties: false,
    properties: {
      extends: { type: "string", description: "another policy file, which this one overrides; relative to this one" },
      prune,
      defaults: { $ref: "#/$defs/section", description: "for all repositories" },
      repositories: {
        type: ["object", "null"],
        description: "by OWNER/NAME or a pattern of it; later ones override earlier ones",
        propertyNames: { pattern: "/" },
        additionalProperties: { $ref: "#/$defs/section" },
      },
      organizations: {
        type: ["object", "null"],
        description: "what organizations have themselves, by name",
        additionalProperties: { $ref: "#/$defs/organization" },
      },
      users: {
        type: ["object", "null"],
        description: "what users have themselves, by name",
        additionalProperties: { $ref: "#/$defs/user" },
      },
    },
    $defs: {
      section: sectionOf("repositories"),
      organization: sectionOf("organizations"),
      user: sectionOf("users"),
    },
  };
}

function schemaOfKind({ form, fields, short, description }: Kind) {
  const properties = Object.fromEntries(Object.entries(fields).map(([name, shape]) => [name, schemaOfField(shape)]));
  const none = { description: "null: it is kept as it is, also with prune: true" };
  const object = { type: ["object", "null"], additionalProperties: false, properties };
  const plain = short === undefined ? [] : [{ type: ["string", "number", "boolean"] }];
  const item = plain.length === 0 ? object : { anyOf: [object, ...plain] };
  const named = { type: ["object", "null"], additionalProperties: { ...item, ...none } };
  if (form === "fields") return { description, ...object };
  if (form === "named") return { description, ...named };
  return { description, anyOf: [{ type: "array", items: { type: ["string", "number"] } }, named] };
}

function schemaOfField({ type, words, item, fields }: Shape<unknown>): object {
  if (type === "map" && item !== undefined) return { type: "object", additionalProperties: schemaOfField(item) };
  if (fields !== undefined) {
    const properties = Object.entries(fields).map(([name, shape]) => [name, schemaOfField(shape)]);
    return { type: "object", additionalProperties: false, properties: Object.fromEntries(properties) };
  }
  if (type === "list") return { type: "array", items: { type: ["string", "number"] } };
  if (words !== undefined) return { enum: words };
  // A number is read as it is spelled: 000000 is a color.
  return { type: type === "string" ? ["string", "number", "boolean"] : type };
}
