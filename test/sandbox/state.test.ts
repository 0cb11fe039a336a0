import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startSandbox } from "../../src/sandbox/serve.ts";
import { openStore } from "../../src/sandbox/state/store.ts";

let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tongs-state-"));
  file = join(folder, "state.json");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const first = { from: "a", to: 1 };

test("a store is read as it was saved, with its sequences and the order of its records", async () => {
  const store = await openStore(file);
  expect(store.isNew).toBe(true);
  await store.write(() => {
    store.table("userRedirects").put({ from: "b", to: store.nextId("users") });
    store.table("userRedirects").put(first);
  });
  await store.save();
  expect(readdirSync(folder)).toEqual(["state.json"]);
  const again = await openStore(file);
  expect(again.isNew).toBe(false);
  expect(again.table("userRedirects").all()).toEqual([{ from: "b", to: 1 }, first]);
  expect(await again.write(() => again.nextId("users"))).toBe(2);
});

test("a store is written only when something changed", async () => {
  const store = await openStore(file);
  await store.save();
  expect(readdirSync(folder)).toEqual([]);
  await store.write(() => store.table("userRedirects").put(first));
  await store.save();
  rmSync(file);
  await store.save();
  expect(readdirSync(folder)).toEqual([]);
});

test("a failed write leaves nothing behind, in memory or on disk", async () => {
  const store = await openStore(file);
  await store.write(() => store.table("userRedirects").put(first));
  await store.save();
  const before = readFileSync(file, "utf8");
  const failing = store.write(() => {
    store.table("userRedirects").put({ from: "a", to: 2 });
    store.table("userRedirects").put({ from: "b", to: 3 });
    store.nextId("users");
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(store.table("userRedirects").all()).toEqual([first]);
  expect(await store.write(() => store.nextId("users"))).toBe(1);
  expect(readFileSync(file, "utf8")).toBe(before);
});

test("writes run one at a time, follow-up work runs after them, and a save waits for them", async () => {
  const store = await openStore(file);
  const order: string[] = [];
  const write = (name: string) =>
    store.write(async () => {
      order.push(`${name} begins`);
      await Promise.resolve();
      store.after(() => order.push(`${name} is done`));
      store.table("userRedirects").put({ from: name, to: 1 });
      order.push(`${name} ends`);
    });
  await Promise.all([write("one"), write("two"), store.save()]);
  expect(order.indexOf("one ends")).toBeLessThan(order.indexOf("two begins"));
  expect(order.indexOf("one is done")).toBeGreaterThan(order.indexOf("one ends"));
  expect((await openStore(file)).table("userRedirects").all()).toHaveLength(2);
  expect(() => store.table("userRedirects").put(first)).toThrow(/outside a write/);
});

test("a damaged file is refused by name, with nothing of it read or written", async () => {
  const options = { port: 0, dir: folder, empty: true, now: () => new Date(), env: process.env };
  for (const text of [
    "",
    '{"sequences":{"users":1},"tables":{"users":[{"id":',
    '{"sequences":{},"tables":{"users":1}}',
  ]) {
    writeFileSync(file, text);
    await expect(startSandbox(options)).rejects.toThrow(`${file} is damaged: `);
    expect(readFileSync(file, "utf8")).toBe(text);
  }
});
