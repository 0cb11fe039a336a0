/** Whether a text has no half of a surrogate pair, which is no character: it cannot be encoded for an address. */
export function isWellFormed(text: string): boolean {
  return !/\p{Cs}/u.test(text);
}

/** Percent-encodes a name for an address that is shown or opened; half of a surrogate pair becomes U+FFFD. */
export function percentEncoded(name: string): string {
  return encodeURIComponent(name.replace(/\p{Cs}/gu, "\ufffd"));
}

/** Percent-encodes a name for a request. Halves of surrogate pairs stay, for which the client refuses it. */
export function encodedName(name: string): string {
  return name.replace(/[^\p{Cs}]+/gu, encodeURIComponent);
}

/** A part of a path or a query, decoded if it can be: `%` and `%ff` cannot. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
