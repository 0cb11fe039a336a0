import { expect, it } from "vitest";
import { schemaOf } from "../../src/forge/openapi/schema.ts";

const ref = (name: string) => ({ $ref: `#/definitions/${name}` });

it("schemas that refer to others twice, over and over, are read in few steps", () => {
  let reads = 0;
  const definitions: Record<string, unknown> = {};
  for (let level = 0; level < 14; level += 1) {
    Object.defineProperty(definitions, `Level${level}`, {
      get() {
        reads += 1;
        const below = ref(`Level${level + 1}`);
        return { allOf: [below, below], properties: { [`of${level}`]: { type: "string" } } };
      },
    });
  }
  const { fields } = schemaOf({ definitions }, ref("Level0"));
  expect([...fields.keys()]).toContain("of0");
  expect(reads).toBeLessThan(1000);
});

it("a schema that joins itself has its own fields", () => {
  const document = { definitions: { Loop: { allOf: [ref("Loop")], properties: { id: { type: "integer" } } } } };
  expect([...schemaOf(document, ref("Loop")).fields.keys()]).toEqual(["id"]);
});
