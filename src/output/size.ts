const units = ["B", "KiB", "MiB", "GiB", "TiB"];

/** `586 B`, `5.0 MiB`, `1.2 GiB`. */
export function sizeText(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return unit === 0 ? `${bytes} B` : `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** Reads `500`, `500K`, `16G`, `1.5 GiB`: bytes, or undefined. */
export function readSize(text: string): number | undefined {
  const [, number = "", letter = ""] = /^\s*(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?\s*$/i.exec(text) ?? [];
  if (number === "") return undefined;
  return Math.round(Number(number) * 1024 ** ["", "k", "m", "g", "t"].indexOf(letter.toLowerCase()));
}
