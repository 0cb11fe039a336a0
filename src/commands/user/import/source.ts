import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UsageError } from "../../../failure/failure.ts";
import type { System } from "../../../system/system.ts";
import type { ImportFormat } from "./rows.ts";

/** The file of an import. stdin is put into a private file first, since it is read twice: checked, then sent. */
export interface Source {
  readonly path: string;
  readonly format: ImportFormat;
  /** Where the journal goes unless it is named. */
  readonly journal: string | undefined;
  remove(): void;
}

/** Opens what was named: a file, or `-`. */
export async function openSource(named: string, format: ImportFormat | undefined, system: System): Promise<Source> {
  const known = format ?? formatOf(named);
  if (named !== "-") return { path: named, format: known, journal: `${named}.journal`, remove() {} };
  const folder = mkdtempSync(join(tmpdir(), "tongs-import-"));
  const path = join(folder, "stdin");
  const { pipeline } = await import("node:stream/promises");
  try {
    await pipeline(system.stdin, createWriteStream(path, { mode: 0o600 }), { signal: system.signal });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return { path, format: known, journal: undefined, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** By the name; the rows that failed are in `FILE.failed`. */
function formatOf(named: string): ImportFormat {
  if (/\.(jsonl|ndjson)(\.failed)*$/i.test(named)) return "jsonl";
  if (/\.(csv|txt)(\.failed)*$/i.test(named)) return "csv";
  throw new UsageError(
    `Is ${named === "-" ? "stdin" : named} CSV or JSON lines?`,
    "Say --format csv or --format jsonl.",
  );
}
