import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A recorded exchange; see test/data/exchanges/README.md. */
export interface Exchange {
  readonly label: string;
  readonly auth: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
  };
}

export function readExchanges(name: string): Exchange[] {
  const path = fileURLToPath(new URL(`../../data/exchanges/${name}.ndjson`, import.meta.url));
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Exchange);
}
