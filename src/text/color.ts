/** A color as servers store it, six hex digits in lower case: `#F00` is `ff0000`. Undefined for a text that is none. */
export function hexColor(text: string): string | undefined {
  const digits = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(text.trim())?.[1]?.toLowerCase();
  return digits?.length === 3 ? digits.replace(/./g, "$&$&") : digits;
}
