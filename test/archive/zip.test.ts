import { expect, it } from "vitest";
import { type FileToZip, zipOf } from "../../src/archive/zip.ts";
import { tree, unpack } from "./unpacked.ts";

async function* pieces(...texts: readonly string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

async function* given(...files: readonly FileToZip[]): AsyncGenerator<FileToZip> {
  yield* files;
}

async function bytesOf(...files: readonly FileToZip[]): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const piece of zipOf(given(...files))) all.push(piece);
  return Buffer.concat(all);
}

it("a zip file has the files with their content, in pieces, empty, and with names in any script", async () => {
  const long = "0123456789".repeat(50_000);
  const bytes = await bytesOf(
    { name: "a.log", content: pieces("one\n", "two\n") },
    { name: "ünïcode – 港.log", content: pieces(long) },
    { name: "empty.log", content: pieces() },
  );
  expect(bytes.length).toBeLessThan(20_000);
  const { into, warnings, error } = await unpack(bytes);
  expect([warnings, error]).toEqual([[], undefined]);
  expect(tree(into)).toEqual({ "a.log": "one\ntwo\n", "ünïcode – 港.log": long, "empty.log": "" });
});

it("a zip file is the same for the same files", async () => {
  const once = () => bytesOf({ name: "a.log", content: pieces("one") });
  expect(await once()).toEqual(await once());
});

it("a zip file fails with the error of a content", async () => {
  async function* broken(): AsyncGenerator<Buffer> {
    yield Buffer.from("one");
    throw new Error("cut off");
  }
  await expect(bytesOf({ name: "a.log", content: broken() })).rejects.toThrow("cut off");
});
