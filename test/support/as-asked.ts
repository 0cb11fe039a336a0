import type { Reply, Seen } from "./server.ts";

/** A response with a record whose fields are as the body of the request asked for them, except those that the server ignores. */
export function asAsked(record: object, ignored: readonly string[] = []): (seen: Pick<Seen, "body">) => Reply {
  return ({ body }) => ({ status: 201, body: applied(record, body === "" ? {} : JSON.parse(body), ignored) });
}

function applied(record: object, asked: object, ignored: readonly string[]): object {
  const before = new Map<string, unknown>(Object.entries(record));
  const fields = Object.entries(asked).flatMap(([name, value]: [string, unknown]) => {
    if (!before.has(name) || ignored.includes(name)) return [];
    return [[name, forms[name]?.(value, before.get(name)) ?? value]];
  });
  return { ...record, ...Object.fromEntries(fields) };
}

type Form = (value: unknown, before: unknown) => unknown;

const people: Form = (value) => (value as readonly string[]).map((login) => ({ id: 1, login }));
const branch: Form = (value, before) => ({ ...(before as object), ref: String(value).split(":").at(-1) });

/** Fields that a record has in another form than a body. */
const forms: Readonly<Record<string, Form>> = {
  labels: (value) => (value as readonly number[]).map((id) => ({ id, name: `label ${id}` })),
  milestone: (value) => (value === 0 ? null : { id: value, title: `milestone ${value}` }),
  assignees: people,
  base: branch,
  head: branch,
};
