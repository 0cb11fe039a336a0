import { randomInt } from "node:crypto";
import { readFileFlag } from "../../app/input.ts";
import { UsageError } from "../../failure/failure.ts";
import type { System } from "../../system/system.ts";
import { longest } from "./rules.ts";

const kinds = ["abcdefghijkmnopqrstuvwxyz", "ABCDEFGHJKLMNPQRSTUVWXYZ", "23456789", "%+-=@_.:"] as const;
const length = 20;

/**
 * A password from the system's random source: 20 characters, about 120 bits, of letters, digits and marks that no shell
 * or reader mistakes; at least one of each kind, since a server may ask for that.
 */
export function generatePassword(): string {
  const pick = (letters: string) => letters[randomInt(letters.length)] ?? "";
  for (;;) {
    const password = Array.from({ length }, () => pick(kinds.join(""))).join("");
    if (kinds.every((kind) => [...kind].some((letter) => password.includes(letter)))) return password;
  }
}

/** The password of `--password-stdin` or `--password-file`: the first line, without its end. */
export async function givenPassword(
  flags: { readonly passwordStdin: boolean; readonly passwordFile: string | undefined },
  system: System,
): Promise<string | undefined> {
  const file = flags.passwordStdin ? "-" : flags.passwordFile;
  if (file === undefined) return undefined;
  const text = await readFileFlag("--password-file", file, system);
  const password = text.replace(/\r?\n[\s\S]*$/, "");
  const source = file === "-" ? "stdin" : file;
  if (password === "") throw new UsageError(`${source} holds no password`);
  if (password.length > longest.password) throw new UsageError(`A password has at most ${longest.password} characters`);
  return password;
}
