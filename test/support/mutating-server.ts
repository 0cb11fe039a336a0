import { type Reply, serve, type TestServer } from "./server.ts";

/** A place in a JSON body: keys, and indexes of lists. */
export type Place = readonly (string | number)[];

/** One change of one field of one answer. */
export interface Mutation {
  /** Path and query of the request. */
  readonly url: string;
  readonly place: Place;
  /** The JSON text that replaces the value; undefined removes the field. */
  readonly text: string | undefined;
  /** Whether the value keeps its type: a server could have sent it. */
  readonly sameType: boolean;
}

/** A server in front of another one that changes a field of its answers. */
export interface MutatingServer extends TestServer {
  /** From now on, changes this; undefined: nothing. */
  mutate(mutation: Mutation | undefined): void;
  /** From now on, appends a text to every string and to every line of text; the other server does not get it back. */
  append(text: string, options?: AppendOptions): void;
  /** The JSON bodies of the answers since the last call, by path and query of the request. */
  take(): ReadonlyMap<string, unknown>;
}

/** How a text is appended. */
export interface AppendOptions {
  /** Fields whose strings stay as they are, so that commands find what they look for. */
  readonly except?: ReadonlySet<string>;
  /** The body of the answer to a write that the other server refused; without it, the refusal is passed on. */
  readonly obliging?: unknown;
}

const removed = "\u0001removed";
const replaced = "\u0001replaced";

/**
 * Starts the server. Answers to GET requests are kept, so that the other server is asked once for each; `shorten` is
 * applied to their JSON bodies.
 */
export async function mutatingServer(
  upstream: string,
  shorten: (body: unknown) => unknown = (body) => body,
): Promise<MutatingServer> {
  const known = new Map<string, Reply>();
  let bodies = new Map<string, unknown>();
  let mutation: Mutation | undefined;
  let appended: (AppendOptions & { readonly text: string }) | undefined;
  const server = await serve(
    async (seen) => {
      const { method, headers } = seen;
      const url = without(seen.url, appended?.text);
      const body = appended === undefined ? seen.body : seen.body.replaceAll(inJson(appended.text), "");
      const key = `${headers["authorization"]} ${url}`;
      const asked = async () => {
        const reply = await ask(upstream, method, url, headers, body);
        return reply.body instanceof Uint8Array ? reply : { ...reply, body: shorten(reply.body) };
      };
      const reply = (method === "GET" ? known.get(key) : undefined) ?? (await asked());
      if (method === "GET") known.set(key, reply);
      if (appended !== undefined) return withText(reply, method, appended);
      if (typeof reply.body !== "object" || reply.body === null || reply.body instanceof Uint8Array) return reply;
      bodies.set(url, reply.body);
      if (mutation?.url !== url) return reply;
      return {
        ...reply,
        headers: { ...reply.headers, "content-type": "application/json" },
        body: changed(reply.body, mutation),
      };
    },
    { saysVersion: true },
  );
  return {
    ...server,
    mutate(next) {
      mutation = next;
    },
    append(text, options = {}) {
      appended = { ...options, text };
    },
    take() {
      const taken = bodies;
      bodies = new Map();
      return taken;
    },
  };
}

async function ask(
  upstream: string,
  method: string,
  url: string,
  sent: Readonly<Record<string, string | string[] | undefined>>,
  body: string,
): Promise<Reply> {
  const { authorization } = sent;
  const response = await fetch(`${upstream}${url}`, {
    method,
    redirect: "manual",
    headers: {
      ...(typeof authorization === "string" ? { authorization } : {}),
      ...(body === "" ? {} : { "content-type": "application/json" }),
    },
    ...(body === "" ? {} : { body }),
  });
  const kept = ["content-type", "link", "x-total-count", "location"].flatMap((name): [string, string][] => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = bytes.length > 0 && response.headers.get("content-type")?.startsWith("application/json") === true;
  return {
    status: response.status,
    headers: Object.fromEntries(kept),
    body: isJson ? JSON.parse(bytes.toString("utf8")) : bytes,
  };
}

/** An address without a text that was appended to parts of it. */
function without(url: string, text: string | undefined): string {
  if (text === undefined) return url;
  const found = [encodeURIComponent(text), encodeURI(text), new URLSearchParams({ text }).toString().slice(5)];
  return found.reduce((rest, one) => rest.replaceAll(one, ""), url);
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function withText(reply: Reply, method: string, { text, except, obliging }: AppendOptions & { text: string }): Reply {
  const refused = (reply.status ?? 200) >= 400 && method !== "GET";
  const { body, status } = refused && obliging !== undefined ? { body: obliging, status: 200 } : reply;
  const headers = { ...reply.headers, "x-text": [...text].filter((one) => /[ -~]/.test(one)).join("") };
  if (body instanceof Uint8Array) {
    const content = Buffer.from(body).toString("utf8");
    return {
      ...reply,
      headers,
      body: content.includes("\ufffd") ? body : content.replace(/\n|$/g, (end) => text + end),
    };
  }
  const appendTo = (value: unknown, key = ""): unknown => {
    if (typeof value === "string") return except?.has(key) ? value : value + text;
    if (Array.isArray(value)) return value.map((item) => appendTo(item, key));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, appendTo(inner, name)]));
  };
  const type = { "content-type": "application/json" };
  return { ...(status === undefined ? {} : { status }), headers: { ...headers, ...type }, body: appendTo(body) };
}

/** The body as JSON text, with the mutation. */
export function changed(body: unknown, { place, text }: Mutation): string {
  const copy: unknown = structuredClone(body);
  let parent: unknown = copy;
  for (const part of place.slice(0, -1)) parent = Reflect.get(Object(parent), part);
  Reflect.set(Object(parent), place.at(-1) ?? "", text === undefined ? removed : replaced);
  return JSON.stringify(copy, (_key, value: unknown) => (value === removed ? undefined : value)).replace(
    JSON.stringify(replaced),
    () => text ?? "null",
  );
}

/** The kind of a change: paths, definitions and their properties in the description of a server are described alike. */
export function kindOf({ place, text }: Mutation): string {
  const [part, , within] = place;
  const isNamed = place.length > 2 && (part === "paths" || part === "definitions");
  const isName = (at: number) => isNamed && (at === 1 || (at === 3 && within === "properties"));
  return JSON.stringify([place.map((key, at) => (isName(at) ? "" : key)), text ?? null]);
}

/** The description of a server without the paths whose changes are of the same kinds as those of others. */
export function withoutRepeats(description: unknown): unknown {
  const paths: unknown = Reflect.get(Object(description), "paths");
  if (typeof paths !== "object" || paths === null) return description;
  const known = new Set<string>();
  const kept = Object.entries(paths).filter(([path, operations]) => {
    const before = known.size;
    for (const one of mutationsOf("", { paths: { [path]: operations } }))
      if (one.place.length > 2) known.add(kindOf(one));
    return known.size > before;
  });
  return { ...Object(description), paths: Object.fromEntries(kept) };
}

/** Every mutation of every field of an answer. Of a list, the first item is mutated. */
export function mutationsOf(url: string, body: unknown): Mutation[] {
  return fieldsIn(body, [], new Set()).flatMap(({ place, value }) => {
    const wrong = [undefined, "null", ...wrongTypes(value)].map((text) => ({ url, place, text, sameType: false }));
    const numbers = typeof value === "number" ? ["9007199254740991", "-7"] : [];
    return [...wrong, ...numbers.map((text) => ({ url, place, text, sameType: true }))];
  });
}

/** The fields below a value. Records deep inside, such as the two repositories of a pull request, are visited once. */
function fieldsIn(
  value: unknown,
  place: Place,
  seen: Set<string>,
): { readonly place: Place; readonly value: unknown }[] {
  if (Array.isArray(value)) {
    const first = [...place, 0];
    return value.length === 0 ? [] : [{ place: first, value: value[0] }, ...fieldsIn(value[0], first, seen)];
  }
  if (typeof value !== "object" || value === null) return [];
  const kind = Object.keys(value).join(" ");
  if (place.length > 2 && seen.has(kind)) return [];
  seen.add(kind);
  return Object.entries(value).flatMap(([key, inner]) => [
    { place: [...place, key], value: inner },
    ...fieldsIn(inner, [...place, key], seen),
  ]);
}

function wrongTypes(value: unknown): string[] {
  if (typeof value === "string") return ['{"a":1}', "17"];
  if (typeof value === "number") return ['"7/head:refs/heads/main"', "1e300", "9007199254740993"];
  if (typeof value === "boolean") return ['"yes"', "{}"];
  if (Array.isArray(value)) return ["{}", '"list"'];
  return value === null ? ["{}", "[]", '"text"', "7"] : ["[]", '"object"'];
}
