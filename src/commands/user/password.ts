import { randomInt } from "node:crypto";
import { readFileFlag } from "../../app/input.ts";
import { UsageError } from "../../failure/failure.ts";
import type { System } from "../../system/system.ts";
import { maxLength } from "./rules.ts";

const characterKinds = ["abcdefghijkmnopqrstuvwxyz", "ABCDEFGHJKLMNPQRSTUVWXYZ", "23456789", "%+-=@_.:"] as const;
const length = 20;

/**
 * Generates a random password of 20 characters, about 120 bits. Contains each kind of character, which servers may
 * require, and none that a shell interprets or that look alike.
 */
export function generatePassword(): string {
  const pick = (letters: string) => letters[randomInt(letters.length)] ?? "";
  for (;;) {
    const password = Array.from({ length }, () => pick(characterKinds.join(""))).join("");
    if (characterKinds.every((kind) => [...kind].some((letter) => password.includes(letter)))) return password;
  }
}

/** Reads the first line of `--password-stdin` or `--password-file`. Throws a usage error if it is empty. */
export async function readPassword(
  flags: { readonly passwordStdin: boolean; readonly passwordFile: string | undefined },
  system: System,
): Promise<string | undefined> {
  const file = flags.passwordStdin ? "-" : flags.passwordFile;
  if (file === undefined) return undefined;
  const text = await readFileFlag("--password-file", file, system);
  const password = text.replace(/\r?\n[\s\S]*$/, "");
  const source = file === "-" ? "stdin" : file;
  if (password === "") throw new UsageError(`No password found in ${source}`);
  if (password.length > maxLength.password) {
    throw new UsageError(`Password must be at most ${maxLength.password} characters`);
  }
  return password;
}
