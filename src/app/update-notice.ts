import isNewer from "semver/functions/gt.js";
import type { Palette } from "../output/palette.ts";
import { version } from "../system/files.ts";
import type { System } from "../system/system.ts";
import { compose } from "../text/styled.ts";
import { latestVersion, updateAddress } from "./latest-version.ts";
import { readState, writeState } from "./state-file.ts";

const file = "update-check.json";

/** How often to ask, in milliseconds. */
const interval = 24 * 60 * 60_000;

/** How long a command may wait for the answer, in milliseconds: once a day, and after its output. */
const limit = 500;

/**
 * Prints a notice on stderr if the update address knows a newer version. Asks at most once a day, whatever the answer; does
 * nothing if there is no address, as by default. A command must not fail for it: an address that does not answer is reported
 * by `tongs upgrade --check`, and here by `debug` only.
 */
export async function showUpdateNotice(
  system: System,
  palette: Palette,
  debug: ((line: string) => void) | undefined,
): Promise<void> {
  try {
    const address = updateAddress(system);
    if (address === undefined || !isDue(system)) return;
    const latest = await latestVersion(address, system, limit);
    if (!isNewer(latest.version, version)) return;
    const versions = compose`${palette("dim", version)} → ${palette("good", latest.version)}`;
    system.stderr.write(compose`\nA new version of tongs is available: ${versions}\n${palette("link", latest.url)}\n`);
  } catch (error) {
    debug?.(`Could not check for a new version: ${error instanceof Error ? error.message : error}`);
  }
}

/**
 * Whether the address was not asked within a day. Records that it is asked now, before it is: one that does not answer is
 * not asked by each command. Throws if that cannot be written.
 */
function isDue(system: Pick<System, "env" | "now">): boolean {
  const time = system.now();
  const last = lastTime(system);
  // A time in the future comes from a clock that was wrong.
  if (last !== undefined && Math.abs(time.getTime() - last) < interval) return false;
  writeState(system, file, { asked_at: time.toISOString() });
  return true;
}

/** When it was asked last; undefined if that is missing or damaged, and written again. */
function lastTime(system: Pick<System, "env">): number | undefined {
  const value = readState(system, file);
  const text = typeof value === "object" && value !== null && "asked_at" in value ? value.asked_at : undefined;
  const at = typeof text === "string" ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
