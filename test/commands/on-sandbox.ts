import type { SandboxOptions } from "../../src/sandbox/options.ts";
import { type TestSandbox, testSandbox } from "../sandbox/with-sandbox.ts";
import { type Ran, tongs, type World } from "../support/tongs.ts";

/** A sandbox with the demonstration people, and tongs run as one of them. */
export interface OnSandbox extends TestSandbox {
  run(line: readonly string[], world?: World & { readonly as?: string }): Promise<Ran>;
  /** `METHOD /path` of the writes so far, in order; asking forgets them. */
  writes(): string[];
  /** The number of requests so far. */
  requests(): number;
}

export async function onSandbox(options: Pick<Partial<SandboxOptions>, "release"> = {}): Promise<OnSandbox> {
  const lines: string[] = [];
  let requests = 0;
  const log = (line: string) => {
    requests += 1;
    lines.push(line);
  };
  const sandbox = await testSandbox({ ...options, log });
  return {
    ...sandbox,
    run: (line, { as = "harbormaster", ...world } = {}) =>
      tongs(line, {
        ...world,
        env: { TONGS_HOST: sandbox.url, TONGS_TOKEN: sandbox.token(as), TONGS_JOURNAL: "", ...world.env },
      }),
    requests: () => requests,
    writes() {
      const all = lines.splice(0).map((line) => line.replace(/^\d+ /, "").replace("/api/v1", ""));
      // The log also has the deliveries of webhooks.
      return all.filter((line) => /^(POST|PUT|PATCH|DELETE) /.test(line));
    },
  };
}

/** Asks as the administrator, and returns what is in the answer. Throws for a refusal. */
export async function askAsAdmin(box: OnSandbox, method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await box.ask(method, path, "harbormaster", body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body === "" ? undefined : answer.body;
}
