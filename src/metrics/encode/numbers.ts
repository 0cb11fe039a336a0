import Long from "long";

const limits = {
  uint64: [0n, 2n ** 64n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
} as const;

/** An exact 64-bit integer from its decimal text (`1e3` and `5.0` are integers too); undefined when it is none. */
export function readInteger(text: string, type: keyof typeof limits): Long | undefined {
  const exact = integerText(text);
  if (exact === undefined) return undefined;
  const value = BigInt(exact);
  const [least, most] = limits[type];
  return value < least || value > most ? undefined : Long.fromString(exact, type === "uint64");
}

function integerText(text: string): string | undefined {
  if (/^-?\d{1,20}$/.test(text)) return text;
  const match = /^(-?)(\d{1,20})(?:\.(\d{1,20}))?(?:[eE]\+?(\d{1,2}))?$/.exec(text);
  if (match === null) return undefined;
  const [, sign = "", whole = "", decimals = "", exponent = "0"] = match;
  const digits = decimals.padEnd(Number(exponent), "0");
  if (/[1-9]/.test(digits.slice(Number(exponent)))) return undefined;
  return `${sign}${whole}${digits.slice(0, Number(exponent))}`;
}

/** A double from its text, NaN and the infinities by their JSON names; undefined when it is none or too large. */
export function readDouble(text: string): number | undefined {
  if (text === "NaN") return Number.NaN;
  if (text === "Infinity") return Number.POSITIVE_INFINITY;
  if (text === "-Infinity") return Number.NEGATIVE_INFINITY;
  if (!/^-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}
