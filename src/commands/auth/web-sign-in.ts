import type { BaseContext } from "../../app/context.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { openPage } from "../../output/browser.ts";
import { type Authorization, authorization, type Provider, sessionOf } from "../../profiles/oauth.ts";
import type { Server } from "../../profiles/server.ts";
import type { Session } from "../../profiles/session.ts";
import { transportFor } from "../../profiles/transport.ts";
import type { InputStream } from "../../system/system.ts";
import { waitForRedirect } from "./callback-server.ts";

/**
 * The application that Gitea and Forgejo have from the start for command-line programs: public, for the loopback address with
 * any port (docs/server-differences.md, "Signing in with the browser").
 */
const builtIn = { id: "a4792ccc-144e-407e-86c9-5e7d8d9c3269", name: "git-credential-oauth" };

/** How to sign in by the browser. */
export interface WebSignIn {
  /** The application; the built-in one if undefined. */
  readonly clientId: string | undefined;
  /** Whether to open a browser here; otherwise the user opens the page and pastes the address it redirects to. */
  readonly opensBrowser: boolean;
  /** The flags to pass to paste the address instead, for hints. */
  readonly pasteFlags: string;
  /** Everything that the account can do if empty. */
  readonly scopes: readonly string[];
}

type Context = Pick<BaseContext, "system" | "out" | "prompt" | "options">;

/**
 * Lets the user sign in on the page of the server, and returns the session. Stores nothing. Throws a usage error for an
 * empty client ID.
 */
export async function signInByBrowser(context: Context, server: Server, how: WebSignIn): Promise<Session> {
  const { system, options, out } = context;
  if (how.clientId === "") throw new UsageError("--client-id must not be empty");
  const transport = transportFor(server, system.env);
  const provider: Provider = {
    base: server.base,
    transport,
    clientId: how.clientId ?? builtIn.id,
    headers: server.headers(),
    now: system.now,
    signal: system.signal,
    timeout: (options.timeout ?? 30) * 1000,
    debug: options.debug ? (line) => void system.stderr.write(`${line}\n`) : undefined,
  };
  if (how.clientId === undefined) {
    out.note(`The page shows the name ${builtIn.name}, the server's own application for command-line programs`);
  }
  try {
    return await (how.opensBrowser ? byRedirect(context, provider, how) : byPasting(context, provider, how));
  } finally {
    transport.close();
  }
}

async function byRedirect({ system, out }: Context, provider: Provider, how: WebSignIn): Promise<Session> {
  const waiting = await waitForRedirect(system.signal);
  try {
    const asked = await authorization(provider, waiting.redirectUri, how.scopes);
    out.note(`Opening ${asked.page} in your browser`);
    const parameters = await Promise.race([waiting.answerTo(asked.state), failedToOpen(system, asked.page, how)]);
    return await sessionOf(parameters, asked, provider);
  } finally {
    waiting.close();
  }
}

/** Opens a page; settles only if no browser could be started, with a `Failure`. */
function failedToOpen(system: Context["system"], page: string, { pasteFlags }: WebSignIn): Promise<never> {
  return new Promise((_resolve, reject) => {
    openPage(system, page, { isAwaited: false }).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      const hint = `To use a browser elsewhere, pass ${pasteFlags}. To use another one here, set BROWSER.`;
      reject(new Failure("browser", reason, { hint, cause: error }));
    });
  });
}

async function byPasting(context: Context, provider: Provider, { scopes }: WebSignIn): Promise<Session> {
  const { system, prompt } = context;
  // A port that no program on this machine uses: a redirect to it must not reach one.
  const { redirectUri, close } = await waitForRedirect(system.signal);
  close();
  const asked = await authorization(provider, redirectUri, scopes);
  system.stderr.write(
    `Open this page in a browser:\n\n${asked.page}\n\n` +
      "After you sign in, the browser is redirected to an address at 127.0.0.1, which it cannot open. Copy that address.\n",
  );
  const message = "Paste the address, or the code in it";
  const pasted = prompt.able
    ? await prompt.text({ message, flag: "--no-browser", check: (text) => text.trim() !== "" || "Paste the address" })
    : await firstLine(system.stdin);
  return sessionOf(parametersIn(pasted.trim(), asked), asked, provider);
}

async function firstLine(stdin: InputStream): Promise<string> {
  let text = "";
  for await (const piece of stdin) {
    text += String(piece);
    if (text.includes("\n")) break;
  }
  return text.split(/\r?\n/, 1)[0] ?? "";
}

/** The parameters in what was pasted: an address, its query, or the code alone. */
function parametersIn(pasted: string, asked: Authorization): URLSearchParams {
  if (pasted === "")
    throw new UsageError(
      "No address was pasted",
      "Paste the address that the browser is redirected to, or the code in it.",
    );
  if (/^https?:/i.test(pasted) && URL.canParse(pasted)) return new URL(pasted).searchParams;
  if (/^\??(.*&)?(code|error)=/.test(pasted)) return new URLSearchParams(pasted.replace(/^\?/, ""));
  return new URLSearchParams({ code: pasted, state: asked.state });
}
