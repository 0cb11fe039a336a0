import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sandbox, SandboxOptions } from "../../src/sandbox/options.ts";
import { startSandbox } from "../../src/sandbox/serve.ts";
import { atEnd } from "../support/at-end.ts";
import { startedAt } from "../support/requests.ts";
import { shared } from "../support/shared.ts";

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

const emptyFolder = () => mkdtempSync(join(tmpdir(), "tongs-sandbox-"));
const standard = { port: 0, now: () => new Date(), env: process.env };

/** Starts a sandbox on a free loopback port, closed at the end. `as` of `ask` is a login, or empty for an anonymous request. */
export async function testSandbox(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  const { empty, people, now } = options;
  const hasDemo = !empty && people === undefined;
  const dir = options.dir ?? (hasDemo ? emptyFolder() : undefined);
  const isNew = dir !== undefined && (!existsSync(dir) || readdirSync(dir).length === 0);
  if (hasDemo && isNew) cpSync(await demoFolder(now), dir, { recursive: true });
  const sandbox = await startSandbox({ ...standard, ...options, dir });
  startedAt(sandbox.url, "sandbox");
  const token = (login: string): string => {
    const user = sandbox.users.find((one) => one.login === login);
    if (user === undefined) throw new Error(`no ${login}`);
    return user.token;
  };
  let isClosed = false;
  async function close(): Promise<void> {
    if (isClosed) return;
    isClosed = true;
    await sandbox.close();
    if (dir !== options.dir && dir !== undefined) rmSync(dir, { recursive: true, force: true });
  }
  atEnd(close);
  return {
    ...sandbox,
    close,
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

/** The folder of a demo project that is made once: making it starts a hundred processes of git. */
function demoFolder(now: SandboxOptions["now"] = standard.now): Promise<string> {
  const name = now === standard.now ? "demo" : `demo-${now().getTime()}`;
  return shared(name, async (dir) => (await startSandbox({ ...standard, now, dir })).close());
}
