import { UsageError } from "../failure/failure.ts";

/** A color as the server stores it: six hex digits in lower case. Throws a usage error if it is not valid. */
export function readColor(typed: string, where = "--color"): string {
  const digits = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(typed.trim())?.[1];
  if (digits === undefined) throw new UsageError(`${where} must be hex digits such as ff0000, not '${typed}'`);
  return (digits.length === 3 ? digits.replace(/./g, "$&$&") : digits).toLowerCase();
}

/** A random color that is light enough for dark text. */
export function randomColor(random: () => number): string {
  const part = () => Math.floor(96 + random() * 160).toString(16);
  return `${part()}${part()}${part()}`;
}
