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

/** An exchange with its index in a file. */
export interface Placed {
  readonly file: string;
  readonly index: number;
  readonly exchange: Exchange;
}

/** The exchanges of files recorded in parallel, ordered by response time, keeping the order within each file. */
export function timeline(files: readonly string[]): Placed[] {
  const queues = files.map((file) => readExchanges(file).map((exchange, index) => ({ file, index, exchange })));
  const dateOf = (placed: Placed | undefined) => Date.parse(placed?.exchange.response.headers["Date"] ?? "");
  const all: Placed[] = [];
  for (;;) {
    const [next] = queues
      .filter((queue) => queue.length > 0)
      .sort(([one], [other]) => (dateOf(one) || 0) - (dateOf(other) || 0));
    const placed = next?.shift();
    if (placed === undefined) return all;
    all.push(placed);
  }
}

export function readExchanges(name: string): Exchange[] {
  const path = fileURLToPath(new URL(`../../data/exchanges/${name}.ndjson`, import.meta.url));
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Exchange);
}
