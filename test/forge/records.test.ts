import { beforeAll, describe, expect, it } from "vitest";
import { grouped } from "../../src/text/grouped.ts";
import { kindOf, type Mutation, mutationsOf } from "../support/mutating-server.ts";
import { readsNoRecord } from "../support/read-lines.ts";
import { faults, type ReadWorld, readCommands, readWorld } from "./read-world.ts";

describe("a record with a field that is missing or of another type", () => {
  let world: ReadWorld;
  beforeAll(async () => {
    world = await readWorld();
  });

  for (const read of readCommands) {
    const { line, name, command } = read;
    it(`ends ${line.join(" ")} with exit 7 or does no harm`, async () => {
      const server = world.serverOf(read);
      server.mutate(undefined);
      server.take();
      const first = await world.run(read);
      expect(faults(first, command), `add a line for '${name}' to test/support/read-lines.ts`).toEqual([]);
      const mutations = [...server.take()].flatMap(([url, body]) => sampled(distinct(mutationsOf(url, body))));
      expect(mutations.length > 0, "this command reads no record").toBe(!readsNoRecord.has(name));
      const found: string[] = [];
      for (const mutation of mutations) {
        server.mutate(mutation);
        const ran = await world.run(read);
        const wrong = faults(ran, command, mutation);
        if (wrong.length > 0) found.push(`${mutation.url} ${mutation.place.join(".")} = ${mutation.text}: ${wrong}`);
      }
      server.mutate(undefined);
      expect(found).toEqual([]);
    });
  }
});

/** Of the changes of a kind, the first one. */
function distinct(mutations: readonly Mutation[]): Mutation[] {
  const known = new Map<string, Mutation>();
  for (const mutation of mutations) {
    const kind = kindOf(mutation);
    if (!known.has(kind)) known.set(kind, mutation);
  }
  return [...known.values()];
}

/**
 * Of each field, that it is missing or null and one value of another type, in turn: shapes check all fields alike, and over all
 * commands each change comes often. Values that a server could send stay.
 */
function sampled(mutations: readonly Mutation[]): Mutation[] {
  const fields = grouped(mutations, ({ place }) => place.join("."));
  return [...fields.values()].flatMap((all, index) => {
    const [missing, none, ...others] = all.filter(({ sameType }) => !sameType);
    const chosen = [index % 2 === 0 ? missing : none, others[index % Math.max(1, others.length)]];
    return [...chosen.filter((one) => one !== undefined), ...all.filter(({ sameType }) => sameType)];
  });
}
