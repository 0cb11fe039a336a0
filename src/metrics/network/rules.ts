import { readFileSync } from "node:fs";
import { diskFailure } from "../../failure/disk.ts";
import { fullPath } from "../../system/files.ts";
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
export function loadPacketRules(cwd: string, files: PacketFiles = {}, level: SecurityLevel = "none"): PacketRules {
  return { types: loadTypesDb({ cwd }, files.typesDb), keys: loadKeys(cwd, files.authFile), level };
}

function loadKeys(cwd: string, file: string | undefined): PacketKeys {
  if (file === undefined) return undefined;
  try {
    return parseAuthFile(readFileSync(fullPath(file, { cwd }), "utf8"), file);
  } catch (error) {
    throw diskFailure(error, file, { tried: "read" }) ?? error;
  }
}
