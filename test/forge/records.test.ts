import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Mutation, mutationsOf } from "../support/mutating-server.ts";
import { readsNoRecord } from "../support/read-lines.ts";
import { faults, type ReadWorld, readCommands, readWorld } from "./read-world.ts";

describe("a record with a field that is missing or of another type", { timeout: 300_000 }, () => {
  let world: ReadWorld;
  beforeAll(async () => {
    world = await readWorld();
  });
  afterAll(() => world.close());

  for (const read of readCommands) {
    const { line, name, command } = read;
    it(`ends ${line.join(" ")} with exit 7 or does no harm`, async () => {
      const server = await world.serverOf(read);
      server.mutate(undefined);
      server.take();
      const first = await world.run(read);
      expect(faults(first, command), `add a line for '${name}' to test/support/read-lines.ts`).toEqual([]);
      const mutations = [...server.take()].flatMap(([url, body]) => distinct(mutationsOf(url, body)));
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

/** The description of the server has hundreds of paths that are described alike: each change of one is made once. */
function distinct(mutations: readonly Mutation[]): Mutation[] {
  const known = new Map<string, Mutation>();
  for (const mutation of mutations) {
    const { place, text } = mutation;
    const kind = place[0] === "paths" && place.length > 2 ? ["paths", "", ...place.slice(2)] : place;
    const key = JSON.stringify([kind, text ?? null]);
    if (!known.has(key)) known.set(key, mutation);
  }
  return [...known.values()];
}
