/** Names of fields, headers and parameters whose values are never shown. */
const secretNames =
  /^(authorization|proxy-authorization|cookie|set-cookie|password|passwd|token|access_token|sha1|secret|data|otp|x-gitea-otp|auth_password|auth_token|remote_password|mirror_password|mirror_token|authorization_header|client_secret|private_key|generated_password|sig|signature)$/i;

/** Stands in for a secret. */
export const masked = "***";

/** A copy of a value with every secret field replaced. */
export function maskValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, isSecret(name) && item !== "" ? masked : maskValue(item)]),
  );
}

/** Whether a field, header or parameter of this name holds a secret. */
export function isSecret(name: string): boolean {
  return secretNames.test(name);
}

/** An address without credentials and secret parameters. */
export function maskUrl(url: URL): string {
  const copy = new URL(url);
  if (copy.password !== "" || copy.username !== "") {
    copy.username = masked;
    copy.password = "";
  }
  for (const name of [...copy.searchParams.keys()]) if (isSecret(name)) copy.searchParams.set(name, masked);
  return copy.href;
}

/** Headers as lines, secrets replaced. */
export function maskHeaders(headers: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(headers)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([name, value]) => `${name}: ${isSecret(name) ? masked : name === "location" ? maskLocation(value) : value}`);
}

function maskLocation(value: string): string {
  return URL.canParse(value)
    ? maskUrl(new URL(value))
    : value.replace(/([?&](?:sig|token|access_token)=)[^&]*/gi, `$1${masked}`);
}
