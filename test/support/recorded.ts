import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Reply } from "./server.ts";

interface Exchange {
  readonly label: string;
  readonly response: { readonly status: number; readonly body: unknown };
}

const files = {
  gitea: "pulls.ndjson",
  forgejo: "forgejo-pulls.ndjson",
  repositories: "repositories.ndjson",
  forgejoMore: "forgejo-more.ndjson",
  agit: "agit.ndjson",
};
const read = new Map<string, readonly Exchange[]>();

/** The response of a live server, by the label of the recorded exchange (test/data/exchanges). */
export function recorded(server: keyof typeof files, label: string): Reply {
  const { status, body } = find(server, label).response;
  return body === "" ? { status } : { status, body };
}

/** The record in a recorded response, with some fields changed. */
export function recordedRecord(
  server: keyof typeof files,
  label: string,
  changes: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return { ...(find(server, label).response.body as Record<string, unknown>), ...changes };
}

function find(server: keyof typeof files, label: string): Exchange {
  let all = read.get(server);
  if (all === undefined) {
    const file = fileURLToPath(new URL(`../data/exchanges/${files[server]}`, import.meta.url));
    const lines = readFileSync(file, "utf8").trim().split("\n");
    all = lines.map((line) => JSON.parse(line) as Exchange);
    read.set(server, all);
  }
  const found = all.find((exchange) => exchange.label === label);
  if (found === undefined) throw new Error(`No exchange of ${server} is labelled '${label}'`);
  return found;
}
