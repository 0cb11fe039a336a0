import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openSpoolWriter } from "../../src/metrics/forward/spool-writer.ts";
import { openPushJournal } from "../../src/metrics/grpc/push-journal.ts";
import { indexHead, indexPath } from "../../src/metrics/index/format.ts";
import { convertRecording } from "../../src/metrics/parquet/convert.ts";
import { emptyFolder } from "../support/tongs.ts";
import { all, first, messages, scene } from "./recorders.ts";

/** A folder in which another user made a link, to a file with a content or to none. */
function linked(content: string | undefined, name = "link") {
  const victim = join(emptyFolder(), "victim");
  if (content !== undefined) writeFileSync(victim, content);
  const folder = emptyFolder();
  symlinkSync(victim, join(folder, name));
  const isKept = () => (content === undefined ? !existsSync(victim) : readFileSync(victim, "utf8") === content);
  return { folder, victim, isKept };
}

describe.skipIf(process.platform === "win32")("a link beside a file that the user named is not followed", () => {
  test.each(["precious", indexHead.toString(), undefined])("by the index of a recording: %s", async (content) => {
    const { path, record, close } = scene();
    const { victim, isKept } = linked(content);
    symlinkSync(victim, indexPath(path));
    const recorder = await record();
    all(recorder, 0, messages.length);
    close(recorder);
    expect([isKept(), readFileSync(indexPath(path)).subarray(0, 8).equals(indexHead)]).toEqual([true, true]);
  });

  test.each(["r.journal", "r.journal.new"])("by the journal of a push: %s", (name) => {
    const { folder, isKept } = linked(undefined, name);
    openPushJournal(join(folder, "r.journal"), [], false, "r.journal").save(7);
    expect([isKept(), readFileSync(join(folder, "r.journal"), "utf8")]).toEqual([
      true,
      expect.stringContaining('"done":7'),
    ]);
  });

  test.each(["position", "00000001.seg"])("by a spool: %s", async (name) => {
    const folder = emptyFolder();
    const purpose = { folder, name: "spool", address: "http://127.0.0.1:1/", format: "influx" };
    const open = () => openSpoolWriter(purpose, { size: 1e6, now: () => new Date(0), warn: () => {} });
    (await open()).close();
    const { victim, isKept } = linked("");
    rmSync(join(folder, name), { force: true });
    symlinkSync(victim, join(folder, name));
    await expect(open()).rejects.toThrow("symbolic link not followed");
    expect(isKept()).toBe(true);
  });

  test("by a conversion", async () => {
    const { folder, isKept } = linked(undefined, "r.parquet");
    writeFileSync(join(folder, "r.bin"), first(3));
    const files = { recording: join(folder, "r.bin"), target: join(folder, "r.parquet") };
    await expect(convertRecording({ ...files, signal: new AbortController().signal })).rejects.toThrow("exists");
    expect([isKept(), existsSync(files.recording)]).toEqual([true, true]);
  });
});
