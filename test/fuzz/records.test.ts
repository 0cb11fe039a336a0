import { beforeAll, expect, it } from "vitest";
import { faults, type ReadWorld, readCommands, readWorld } from "../forge/read-world.ts";
import { type Mutation, mutationsOf } from "../support/mutating-server.ts";
import { readsNoRecord } from "../support/read-lines.ts";
import { fuzzSettings } from "./settings.ts";

const { seed, rounds, below, pick } = fuzzSettings(60);

let world: ReadWorld;
beforeAll(async () => {
  world = await readWorld();
});

/** JSON that a hostile or broken server could put in place of a value. */
function randomJson(depth = 0): string {
  const leaf = (): string =>
    pick([
      () => "null",
      () => pick(["true", "false"]),
      () => pick(["0", "-1", "0.1", "-0", "1e999", "1e300", "9007199254740993", String(below(2 ** 31))]),
      () =>
        JSON.stringify(
          pick(["", " ", "../..", "-x", "a:b", "%00", "\u0000", "\u001b]52;c;eA==\u0007", "\ud800", "\u202e"]),
        ),
      () => JSON.stringify(String.fromCharCode(...Array.from({ length: below(40) }, () => below(0x1_0000)))),
      () => JSON.stringify(pick(["0001-01-01T00:00:00Z", "2026-13-45T99:99:99Z", "9999999-01-01T00:00:00Z"])),
      () => "[".repeat(2000) + "]".repeat(2000),
      () => `"${"long ".repeat(20_000)}"`,
    ])();
  if (depth > 3 || below(3) > 0) return leaf();
  const items = Array.from({ length: below(4) }, () => randomJson(depth + 1));
  const key = () => JSON.stringify(pick(["id", "login", "__proto__", "constructor", "length", "toString", "number"]));
  return pick([() => `[${items}]`, () => `{${items.map((item) => `${key()}:${item}`)}}`])();
}

it(`random values in ${rounds} records end every command with a reason, or do no harm (seed ${seed})`, {
  timeout: 0,
}, async () => {
  const reading = readCommands.filter(({ name }) => !readsNoRecord.has(name));
  const mutations = new Map<string, readonly Mutation[]>();
  const found: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const read = reading[below(reading.length)] ?? expect.unreachable();
    const server = world.serverOf(read);
    const typed = read.line.join(" ");
    if (!mutations.has(typed)) {
      server.take();
      await world.run(read);
      mutations.set(
        typed,
        [...server.take()].flatMap(([url, body]) => mutationsOf(url, body)),
      );
    }
    const known = mutations.get(typed) ?? [];
    const place = known[below(known.length)] ?? expect.unreachable(typed);
    const mutation = { ...place, text: randomJson(), sameType: true };
    server.mutate(mutation);
    const wrong = faults(await world.run(read), read.command, mutation);
    server.mutate(undefined);
    const what = `${typed}: ${mutation.url} ${mutation.place.join(".")} = ${mutation.text}`;
    if (wrong.length > 0) found.push(`${what}: ${wrong}`.slice(0, 1000));
  }
  expect(found).toEqual([]);
});
