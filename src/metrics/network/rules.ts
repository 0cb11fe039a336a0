import { readFileSync } from "node:fs";
import { diskFailure } from "../../failure/disk.ts";
import { fullPath, type Place } from "../../system/files.ts";
import { loadTypesDb } from "../encode/types-db.ts";
import type { PacketRules } from "./packet.ts";
import type { SecurityLevel } from "./parts.ts";
import { type PacketKeys, parseAuthFile } from "./security.ts";

/** The files that packets are read with. */
export interface PacketFiles {
  readonly authFile?: string | undefined;
  readonly typesDb?: string | undefined;
}

/** Reads the files. Throws a `Failure` if one cannot be read or is invalid. */
export function loadPacketRules(system: Place, files: PacketFiles = {}, level: SecurityLevel = "none"): PacketRules {
  return { types: loadTypesDb(system, files.typesDb), keys: loadKeys(system, files.authFile), level };
}

function loadKeys(system: Place, file: string | undefined): PacketKeys {
  if (file === undefined) return undefined;
  try {
    return parseAuthFile(readFileSync(fullPath(file, system), "utf8"), file);
  } catch (error) {
    throw diskFailure(error, file, { tried: "read" }) ?? error;
  }
}
