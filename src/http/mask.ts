import { decoded } from "./path.ts";

/** Fields, headers and parameters whose values are never printed. */
const secretNames =
  /^(authorization|proxy-authorization|cookie|set-cookie|password|passwd|token|pwd|pass|passphrase|access_token|sha1|secret|data|otp|passcode|x-gitea-otp|x-forgejo-otp|auth_password|auth_token|remote_password|mirror_password|mirror_token|authorization_header|client_secret|private_key|generated_password|sig|signature|x-auth.*)$/i;

/** Names that end like a secret: `PRIVATE-TOKEN`, `x-api-key`, `X-Amz-Signature`. */
const secretSuffixes =
  /(^|[-_])(password|passwd|pwd|pass|passphrase|token|secret|apikey|api[-_]key|signature|credential)$/i;

/** Printed instead of a secret. */
export const masked = "***";

/** A copy of a value with every secret field replaced, and the secrets of URLs in its texts. */
export function maskValue(value: unknown): unknown {
  if (typeof value === "string") return maskText(value);
  if (Array.isArray(value)) return value.map(maskValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, isSecret(name) && hasValue(item) ? masked : maskValue(item)]),
  );
}

function hasValue(item: unknown): boolean {
  return item !== "" && item !== null && item !== undefined && typeof item !== "boolean";
}

/** Whether a field, header or parameter of this name holds a secret. */
export function isSecret(name: string): boolean {
  return secretNames.test(name) || secretSuffixes.test(name);
}

/** A URL with credentials and secret parameters masked. */
export function maskUrl(url: URL): string {
  const copy = new URL(url);
  if (copy.password !== "" || copy.username !== "") {
    copy.username = masked;
    copy.password = "";
  }
  copy.search = maskQuery(copy.search);
  return copy.href;
}

/** Masks secret query parameters in a path or in any text with URLs. Takes linear time. */
export function maskQuery(text: string): string {
  const name = /[?&]([^=&?\s<>]+)=/g;
  const value = /[^&\s<>;"]*/y;
  let [shown, end] = ["", 0];
  for (let found = name.exec(text); found !== null; found = name.exec(text)) {
    if (!isSecret(decoded(found[1] ?? ""))) continue;
    shown += text.slice(end, name.lastIndex) + masked;
    value.lastIndex = name.lastIndex;
    value.test(text);
    end = value.lastIndex;
    name.lastIndex = end;
  }
  return shown + text.slice(end);
}

/** Masks the credentials and secret query parameters of all URLs in a text. */
export function maskText(text: string): string {
  return maskQuery(text.replace(/:\/\/[^/?#\s<>]*@/g, `://${masked}@`));
}

/**
 * Headers as lines, with secrets masked, also in URLs: `Link` and `Location` repeat the query of the request. `secret`: the
 * lower-case names of further headers to mask.
 */
export function maskHeaders(
  headers: Readonly<Record<string, string | undefined>>,
  secret: readonly string[] = [],
): string[] {
  return Object.entries(headers)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([name, value]) => {
      const isMasked = isSecret(name) || secret.includes(name.toLowerCase());
      return `${name}: ${isMasked ? masked : maskText(value)}`;
    });
}
