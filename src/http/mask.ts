import { decoded } from "../text/percent.ts";

/** Fields, headers and parameters whose values are never printed. */
const secretNames =
  /^(authorization|proxy-authorization|cookie|set-cookie|password|passwd|token|pwd|pass|passphrase|access_token|sha1|secret|data|otp|passcode|x-gitea-otp|x-forgejo-otp|auth_password|auth_token|remote_password|mirror_password|mirror_token|authorization_header|client_secret|private_key|generated_password|sig|signature|x-auth.*)$/i;

/** Names that end like a secret: `PRIVATE-TOKEN`, `x-api-key`, `X-Amz-Signature`. */
const secretSuffixes =
  /(^|[-_])(password|passwd|pwd|pass|passphrase|token|secret|apikey|api[-_]key|signature|credential)$/i;

/** Printed instead of a secret. */
export const masked = "***";

/** The webhooks of chat services: who knows the address can post there. */
const chatWebhook = new RegExp(
  String.raw`\b(https?://(?:${[
    String.raw`hooks\.slack\.com(?=/)|(?:\w+\.)?discord(?:app)?\.com(?=/api/(?:v\d+/)?webhooks/)|api\.telegram\.org(?=/bot)`,
    String.raw`[\w.-]+\.webhook\.office\.com(?=/)|outlook\.office(?:365)?\.com(?=/webhook)`,
    String.raw`[\w.-]+\.(?:logic\.azure|api\.powerplatform)\.com(?=[:/])`,
    String.raw`open\.(?:feishu\.cn|larksuite\.com)(?=/open-apis/bot)|oapi\.dingtalk\.com(?=/robot)`,
    String.raw`qyapi\.weixin\.qq\.com(?=/cgi-bin/webhook)|chat\.googleapis\.com(?=/v1/spaces)`,
  ].join("|")}))[^\s<>"']+`,
  "gi",
);

/** A copy of a value with every secret field replaced, the secrets of URLs in its texts, and addresses of webhooks. */
export function maskValue(value: unknown): unknown {
  return maskItem(value, false);
}

/** The address of a webhook is `url` in its `config`; Forgejo repeats it beside `config`. */
function maskItem(value: unknown, isHookConfig: boolean): unknown {
  if (typeof value === "string") return maskText(value);
  if (Array.isArray(value)) return value.map(maskValue);
  if (typeof value !== "object" || value === null) return value;
  const hasAddress = isHookConfig || "config" in value;
  const maskField = ([name, item]: [string, unknown]): [string, unknown] => {
    if (isSecret(name) && hasValue(item)) return [name, masked];
    if (name === "url" && hasAddress && typeof item === "string") return [name, maskAddress(item)];
    return [name, maskItem(item, name === "config")];
  };
  return Object.fromEntries(Object.entries(value).map(maskField));
}

/** An address with all masked but scheme and host. */
function maskAddress(address: string): string {
  if (!URL.canParse(address)) return address === "" ? "" : masked;
  const { protocol, host, href } = new URL(address);
  const root = `${protocol}//${host}`;
  return href === root || href === `${root}/` ? address : `${root}/${masked}`;
}

/** The types of webhooks whose address has no secret in its path. */
const plainWebhooks: readonly string[] = ["gitea", "forgejo", "gogs"];

/**
 * The address of a webhook as it is printed: without the values of its query, its credentials, and the path where chat
 * services, or its type, have the secret there.
 */
export function hookAddress(address: string, type = "gitea"): string {
  if (!/^https?:/i.test(address)) return maskText(address);
  if (!plainWebhooks.includes(type)) return maskAddress(address);
  return maskText(address).replace(/\?[^#]*/, (query) =>
    query.replace(/([?&])([^=&]*=)?[^&]*/g, (_, start, name = "") => `${start}${name}${masked}`),
  );
}

/**
 * The words of a command line with the values of secret flags and fields masked (`--token X`, `-f password=X`,
 * `-H 'Cookie: X'`, JSON), those of addresses (`--url X`) but for the host, and the secrets of URLs in the others.
 */
export function maskWords(words: readonly string[]): string[] {
  return words.map((word, index) => {
    const [flag] = /^--[\w-]+$/.exec(words[index - 1] ?? "") ?? [];
    return flag === undefined || word.startsWith("-") ? maskWord(word) : maskNamed(flag, word);
  });
}

/** A word, which can be a name with its value, and that another one: `--field=password=X`, `-fpassword=X`. */
function maskWord(word: string): string {
  const [, name = "", value] = /^((?:-[a-z])?[^\s:={}]+(?:=|: *))(.*)$/is.exec(word) ?? [];
  return value === undefined || value.startsWith("//") ? maskJson(word) : name + maskNamed(name, value);
}

/** The value of a flag or a field. Its name can be within another one: `config[url]`. */
function maskNamed(name: string, value: string): string {
  const [last = ""] = /[\w-]+(?=[^\w-]*$)/.exec(name.replace(/^(?:--|-[a-z])/i, "")) ?? [];
  if (isSecret(last) && value !== "") return masked;
  return /(^|[-_])url$/i.test(last) ? maskAddress(value) : maskWord(value);
}

function maskJson(text: string): string {
  if (!/^\s*[[{]/.test(text)) return maskText(text);
  try {
    return JSON.stringify(maskValue(JSON.parse(text)));
  } catch {
    return maskText(text);
  }
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

/**
 * Masks the credentials and secret query parameters of all URLs in a text, and what follows the host of a chat webhook. The
 * user of an SSH address is no secret.
 */
export function maskText(text: string): string {
  return maskQuery(
    text
      .replace(/(?<!ssh(?=:\/\/[^:/?#\s<>@]*@)):\/\/[^/?#\s<>]*@/g, `://${masked}@`)
      .replace(chatWebhook, `$1/${masked}`),
  );
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

/**
 * Masks the secrets of a request, in its headers and the fields of its body, in texts of the server: one that repeats them
 * would have them in messages and logs.
 */
export function sentSecrets(
  headers: Readonly<Record<string, string | undefined>>,
  body?: unknown,
): (text: string) => string {
  const words = [...Object.entries(headers).flatMap(secretsOfHeader), ...secretsIn(body)].filter(
    (word) => word.length >= 6,
  );
  const escaped = (word: string) => JSON.stringify(word).slice(1, -1);
  // As it is, in JSON, and in JSON that is a text of JSON; in text, and in bytes that are read as Latin-1; in Base64.
  const forms = words.flatMap((word) => [word, escaped(word), escaped(escaped(word)), ...withinBase64(word)]);
  const all = new Set(forms.flatMap((word) => [word, Buffer.from(word).toString("latin1")]));
  return (text) => [...all].reduce((shown, word) => shown.replaceAll(word, masked), text);
}

/** A word as it is within Base64, after any other text: `USERNAME:TOKEN`. */
function withinBase64(word: string): string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.from(" ".repeat(before) + word);
    return bytes.toString("base64").slice(Math.ceil((before * 4) / 3), Math.floor((bytes.length * 4) / 3));
  });
}

/** The value of a secret header: without the scheme, and for Basic the password. */
function secretsOfHeader([name, value = ""]: [string, string | undefined]): string[] {
  if (!isSecret(name)) return [];
  const [, scheme = "", credential = value] = /^(Basic|Bearer|token) (.+)$/s.exec(value) ?? [];
  if (scheme !== "Basic") return [credential];
  return [
    credential,
    Buffer.from(credential, "base64")
      .toString()
      .replace(/^[^:]*:/, ""),
  ];
}

function secretsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    typeof item === "string" && isSecret(name) ? [item] : secretsIn(item),
  );
}
