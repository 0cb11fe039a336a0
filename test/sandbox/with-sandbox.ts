import type { Sandbox, SandboxOptions } from "../../src/sandbox/options.ts";
import { startSandbox } from "../../src/sandbox/serve.ts";
import { answeredBy } from "../support/requests.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A sandbox for a test, with the users' tokens and a function to send requests. */
export interface TestSandbox extends Sandbox {
  token(login: string): string;
  ask(method: string, path: string, as?: string, body?: unknown): Promise<Answer>;
}

/** Starts a sandbox on a free loopback port. `as` of `ask` is a login, or empty for an anonymous request. */
export async function testSandbox(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  const sandbox = await startSandbox({ port: 0, now: () => new Date(), env: process.env, ...options });
  answeredBy(sandbox.url, "sandbox");
  const token = (login: string): string => {
    const user = sandbox.users.find((one) => one.login === login);
    if (user === undefined) throw new Error(`no ${login}`);
    return user.token;
  };
  return {
    ...sandbox,
    token,
    async ask(method, path, as = "", body) {
      const response = await fetch(`${sandbox.url}/api/v1${path}`, {
        method,
        redirect: "manual",
        headers: {
          ...(as === "" ? {} : { Authorization: `token ${token(as)}` }),
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = text !== "" && response.headers.get("content-type")?.startsWith("application/json");
      return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
    },
  };
}
