import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Change, openJournal } from "../../src/sandbox/state/journal.ts";
import { openStore } from "../../src/sandbox/state/store.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tongs-state-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const change = (key: string, value: unknown): Change => ["redirects", key, value];

test("a journal returns what was appended, in order", async () => {
  const journal = await openJournal(folder);
  await journal.append([change("a", 1), change("b", 2)]);
  await journal.append([change("a", null)]);
  await journal.close();
  const again = await openJournal(folder);
  expect(again.before).toEqual([change("a", 1), change("b", 2), change("a", null)]);
  await again.close();
});

test("an incomplete last line is dropped, and later appends are not lost with it", async () => {
  const journal = await openJournal(folder);
  await journal.append([change("a", 1)]);
  await journal.close();
  appendFileSync(join(folder, "journal-0.ndjson"), '[["redirects","b"');
  const again = await openJournal(folder);
  expect(again.before).toEqual([change("a", 1)]);
  await again.append([change("c", 3)]);
  await again.close();
  const third = await openJournal(folder);
  expect(third.before).toEqual([change("a", 1), change("c", 3)]);
  await third.close();
});

test("compacting keeps the state and starts a new journal", async () => {
  const journal = await openJournal(folder);
  await journal.append([change("a", 1)]);
  await journal.compact([change("a", 1)]);
  await journal.append([change("b", 2)]);
  await journal.close();
  expect(readdirSync(folder).sort()).toEqual(["journal-1.ndjson", "snapshot.json"]);
  const again = await openJournal(folder);
  expect(again.before).toEqual([change("a", 1), change("b", 2)]);
  await again.close();
});

test("a snapshot without its journal is enough", async () => {
  writeFileSync(join(folder, "snapshot.json"), JSON.stringify({ generation: 7, changes: [change("a", 1)] }));
  writeFileSync(join(folder, "journal-6.ndjson"), `${JSON.stringify([change("a", 0)])}\n`);
  writeFileSync(join(folder, "snapshot.json.new"), "{");
  const journal = await openJournal(folder);
  expect(journal.before).toEqual([change("a", 1)]);
  await journal.close();
  expect(readdirSync(folder).sort()).toEqual(["journal-7.ndjson", "snapshot.json"]);
});

test("a failed write leaves nothing behind, in memory or on disk", async () => {
  const store = await openStore(folder);
  await store.write(() => store.table("userRedirects").put("a", { to: 1 }));
  const failing = store.write(() => {
    store.table("userRedirects").put("a", { to: 2 });
    store.table("userRedirects").put("b", { to: 3 });
    store.nextId("users");
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(store.table("userRedirects").all()).toEqual([{ to: 1 }]);
  expect(await store.write(() => store.nextId("users"))).toBe(1);
  await store.close();
  expect(readFileSync(join(folder, "journal-0.ndjson"), "utf8").split("\n")).toHaveLength(3);
});

test("writes run one at a time, and follow-up work runs when they are durable", async () => {
  const store = await openStore(folder);
  const order: string[] = [];
  const write = (name: string) =>
    store.write(async () => {
      order.push(`${name} begins`);
      await Promise.resolve();
      store.after(() => order.push(`${name} is durable`));
      order.push(`${name} ends`);
    });
  await Promise.all([write("one"), write("two")]);
  expect(order.indexOf("one ends")).toBeLessThan(order.indexOf("two begins"));
  expect(order.indexOf("one is durable")).toBeGreaterThan(order.indexOf("one ends"));
  expect(() => store.table("userRedirects").put("a", { to: 1 })).toThrow(/outside a write/);
  await store.close();
});
