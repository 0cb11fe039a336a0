import { randomInt } from "node:crypto";

const characterKinds = ["abcdefghijkmnopqrstuvwxyz", "ABCDEFGHJKLMNPQRSTUVWXYZ", "23456789", "%+-=@_.:"] as const;
const length = 20;

/**
 * Generates a random password of 20 characters, about 120 bits. Contains each kind of character, which servers may
 * require, and none that a shell interprets or that look alike. It begins with a letter: a spreadsheet takes =, + and - for a
 * formula.
 */
export function generatePassword(): string {
  const pick = (letters: string) => letters[randomInt(letters.length)] ?? "";
  for (;;) {
    const password = Array.from({ length }, () => pick(characterKinds.join(""))).join("");
    if (
      /^[a-z]/i.test(password) &&
      characterKinds.every((kind) => [...kind].some((letter) => password.includes(letter)))
    )
      return password;
  }
}
