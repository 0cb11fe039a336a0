import { subscribe } from "node:diagnostics_channel";
import { appendFileSync, readFileSync } from "node:fs";
import type { ClientRequest } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { operationAt } from "../../src/forge/all-operations.ts";
import { sinceOf } from "../../src/forge/support.ts";
import { otherProgram } from "../e2e/built.ts";

/**
 * After each scenario on the sandbox, checks that the operations which not all releases have, of those it sent, are in
 * test/data/contract-operations.txt, of which test/forge/refusals.test.ts says which releases would be refused them. To write
 * it again: `TONGS_CONTRACT_OPERATIONS=FILE npm run test:contract`, then `sort -u FILE`.
 */
const file = join(import.meta.dirname, "../data/contract-operations.txt");
const { TONGS_CONTRACT_OPERATIONS: log, TONGS_CONTRACT_AS: as, TONGS_CONTRACT_URL: url } = process.env;
const sent = new Set<string>();

subscribe("http.client.response.finish", (message) => {
  const { method, path } = (message as { readonly request: ClientRequest }).request;
  const [, below = ""] = /\/api\/v1(\/[^?]*)/.exec(path) ?? [];
  const matched = operationAt(method, below);
  const key = `${method} ${matched?.path}`;
  if (matched !== undefined && sinceOf(key) !== undefined) sent.add(key);
});

beforeEach(() => sent.clear());

afterEach(({ task }) => {
  if (url !== undefined || as !== undefined || otherProgram !== undefined) return;
  const name = [task.file.name.replace(/^.*\//, ""), task.suite?.name, task.name].join(" > ");
  const lines = [...sent].map((operation) => `${name}\t${operation}\n`);
  if (log !== undefined) return appendFileSync(log, lines.join(""));
  const listed = readFileSync(file, "utf8");
  expect(lines.filter((line) => !listed.includes(line))).toEqual([]);
});
