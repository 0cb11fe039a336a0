import { type InputSystem, readFileFlag } from "../../../app/input.ts";
import { UsageError } from "../../../failure/failure.ts";
import { maskText } from "../../../http/mask.ts";
import type { ImportSettings } from "./settings.ts";

type ListEntry = NonNullable<ImportSettings["entries"]>[number];

/**
 * The repositories of a list: an address a line, and after a space the name here, if it is another one. Throws a usage error
 * that names each line with a mistake.
 */
export async function readList(file: string, system: InputSystem): Promise<ListEntry[]> {
  const text = await readFileFlag("--list", file, system);
  const shown = file === "-" ? "stdin" : file;
  const entries: ListEntry[] = [];
  const faults: string[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [address = "", given, ...more] = line.trim().split(/\s+/);
    if (address === "" || address.startsWith("#")) continue;
    const name = given ?? nameAt(address);
    if (!URL.canParse(address) || !/^(https?|git):\/\//i.test(address)) {
      // Its text is not shown: the file may be another one, such as that of a token.
      faults.push(`${shown}:${index + 1} is not an address that begins with https://, http:// or git://`);
      continue;
    }
    const fault = more.length > 0 ? "has more than an address and a name" : (faultOf(address) ?? nameFault(name));
    if (fault === undefined) entries.push({ address, name });
    else faults.push(`${shown}:${index + 1}: '${maskText(address)}' ${fault}`);
  }
  const [first, ...others] = faults;
  if (first !== undefined) throw new UsageError(first, others.join("\n") || "Nothing was sent.");
  if (entries.length === 0) throw new UsageError(`${shown} has no addresses`, "Pass one clone URL per line.");
  return entries;
}

function faultOf(address: string): string | undefined {
  const { username, password } = new URL(address);
  if (username !== "" || password !== "") return "has a username or password: pass a token with --auth-token-file";
  // Parsers do not agree on the host of such an address.
  return /\\|(?<!^[a-z]+:)\/\//i.test(address) ? "has a backslash or // in its path" : undefined;
}

/** The last part of an address, without `.git`. */
export function nameAt(address: string): string {
  const path = URL.canParse(address) ? new URL(address).pathname : "";
  return (
    path
      .replace(/\/+$/, "")
      .replace(/\.git$/, "")
      .split("/")
      .pop() ?? ""
  );
}

/** Why no server takes a name; undefined if it is one. */
export function nameFault(name: string): string | undefined {
  const fits = /^[\w.-]{1,100}$/.test(name) && !/^\.+$/.test(name);
  return fits ? undefined : `${JSON.stringify(name)} cannot be the name of a repository`;
}
