import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseRelease } from "../../../src/sandbox/release.ts";
import { type TestSandbox, testSandbox } from "../with-sandbox.ts";
import type { Exchange } from "./exchange.ts";

// Exchanges of a running Forgejo 16.0, long texts and lists cut, and where the demo project has the same things.
const lines = readFileSync(new URL("forgejo16.ndjson", import.meta.url), "utf8")
  .trimEnd()
  .split("\n");
const exchanges = lines.map((line) => JSON.parse(line) as Exchange);

const places: readonly (readonly [recorded: RegExp, here: string])[] = [
  [/^\/api\/v1/, ""],
  [/(\/repos\/)(root1\/(ci|work)|acme\/app)\b/, "$1mara/harbor"],
  [/alice\/work-fork/, "priya/harbor"],
  [/(users|packages)\/root1/, "$1/priya"],
  [/orgs\/acme/, "orgs/pilots"],
  [/runs\/(16|17|22)\b/, "runs/2"],
  [/jobs\/34\b/, "jobs/1"],
  [/runners\/2$/, "runners/1"],
  [/artifacts\/10\b/, "artifacts/1"],
  [/test\.yml/, "ci.yml"],
  [/main\/feat$/, "main/fog-horn"],
  [/branches\/two/, "branches/main"],
  [/\/pulls(\?base=main)?$/, "/pulls?base=main&head=fog-horn"],
];

const sandbox = await testSandbox({ release: parseRelease("forgejo@16") });

test.each(exchanges.map((one) => [one.label, one] as const))(
  "--as forgejo answers as Forgejo 16 does: %s",
  async (_label, { auth, request, response }) => {
    const path = places.reduce((text, [recorded, here]) => text.replace(recorded, here), request.path);
    const answer = await send(sandbox, path, auth, request);
    expect(answer.status).toBe(response.status);
    for (const name of ["content-type", "x-total-count", "allow", "accept-ranges"]) {
      expect(answer.headers.has(name), name).toBe(Object.hasOwn(response.headers, name));
    }
    if (response.status < 300)
      expect(fieldsOf(answer.body, response.body)).toEqual(fieldsOf(response.body, answer.body));
  },
);

async function send(
  { url, token }: TestSandbox,
  path: string,
  auth: string,
  { method, headers = {}, body }: Exchange["request"],
) {
  const who = auth === "another user or token" ? "tomas" : /without|none/.test(auth) ? undefined : "harbormaster";
  const base = path.startsWith("/api/") ? url : `${url}/api/v1`;
  const sent = await fetch(base + path, {
    method,
    redirect: "manual",
    headers: {
      ...(headers["Range"] === undefined ? {} : { Range: headers["Range"] }),
      ...(who === undefined ? {} : { Authorization: `token ${token(who)}` }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await sent.text();
  const isJson = sent.headers.get("content-type")?.startsWith("application/json") && text !== "";
  return { status: sent.status, headers: sent.headers, body: isJson ? (JSON.parse(text) as unknown) : text };
}

/** The names of all fields of a value, as paths, with their types; of a list, of its first item. Not below what `other` lacks. */
function fieldsOf(value: unknown, other: unknown, at = ""): string[] {
  if (value === null || other === null) return [];
  if (Array.isArray(value)) {
    const [first, second] = [value[0], Array.isArray(other) ? other[0] : undefined];
    return [`${at} list`, ...(first === undefined || second === undefined ? [] : fieldsOf(first, second, `${at}[]`))];
  }
  if (typeof value !== "object") return [`${at} ${typeof value}`];
  const known = new Map<string, unknown>(Object.entries(Object(other)));
  return Object.entries(value)
    .flatMap(([name, item]) => [
      `${at}.${name}`,
      ...(known.has(name) ? fieldsOf(item, known.get(name), `${at}.${name}`) : []),
    ])
    .sort();
}
