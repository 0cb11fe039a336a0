import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Failure } from "../../failure/failure.ts";

/** How long to wait for the browser, in milliseconds. */
const tenMinutes = 10 * 60_000;

/** A server on this machine that waits for the browser to be redirected to it. */
export interface CallbackServer {
  /** Its address without a path: servers accept any port, but no other path than the registered one. */
  readonly redirectUri: string;
  /**
   * Waits for the redirect with this state, and returns its parameters. Rejects on Ctrl-C, or if there is none in ten
   * minutes. Others, which any web page can send here, get a 400.
   */
  answerTo(state: string): Promise<URLSearchParams>;
  close(): void;
}

/** Starts the server on a free port of the loopback address (RFC 8252, section 7.3). */
export async function waitForRedirect(signal: AbortSignal, patience = tenMinutes): Promise<CallbackServer> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => reject(cannotListen(cause)));
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  let timer: NodeJS.Timeout | undefined;
  let interrupted = () => {};
  return {
    redirectUri: `http://${host}/`,
    answerTo: (state) =>
      new Promise((resolve, reject) => {
        timer = setTimeout(() => reject(late(patience)), patience);
        interrupted = () => reject(signal.reason);
        if (signal.aborted) interrupted();
        else signal.addEventListener("abort", interrupted, { once: true });
        server.on("request", (request: IncomingMessage, response: ServerResponse) => {
          const parameters = parametersOf(request, host);
          if (parameters === undefined) {
            return respond(response, 404, "This address is used only by tongs, to sign in.");
          }
          const states = parameters.getAll("state");
          if (states.length !== 1 || states[0] !== state) {
            return respond(response, 400, "This is not the sign-in that tongs waits for. Use the page that it opened.");
          }
          const isDenied = parameters.has("error");
          const words = isDenied ? "The sign-in was denied. Return" : "You can close this page and return";
          respond(response, 200, `${words} to the terminal.`);
          resolve(parameters);
        });
      }),
    close() {
      clearTimeout(timer);
      signal.removeEventListener("abort", interrupted);
      closeAfterResponses(server);
    },
  };
}

/** The parameters of a redirect; undefined for other requests, such as that of the icon, and for other host names. */
function parametersOf({ method, url = "", headers }: IncomingMessage, host: string): URLSearchParams | undefined {
  if (method !== "GET" || headers.host !== host || !URL.canParse(url, `http://${host}`)) return undefined;
  const { pathname, searchParams } = new URL(url, `http://${host}`);
  const isAnswer = searchParams.has("code") || searchParams.has("error");
  return pathname === "/" && isAnswer ? searchParams : undefined;
}

function respond(response: ServerResponse, status: number, words: string): void {
  const page = `<!doctype html><meta charset="utf-8"><title>tongs</title><p>${words}</p>\n`;
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    connection: "close",
    // The code is in the address of this page.
    "referrer-policy": "no-referrer",
    "content-security-policy": "default-src 'none'",
  };
  response.writeHead(status, headers).end(page);
}

/** Lets the last response arrive; other connections that the browser keeps open are closed too. */
function closeAfterResponses(server: Server): void {
  server.close();
  server.closeIdleConnections();
  server.unref();
  setTimeout(() => server.closeAllConnections(), 500).unref();
}

function cannotListen(cause: Error): Failure {
  return new Failure("cannot_listen", `Could not listen on 127.0.0.1: ${cause.message}`, {
    hint: "Pass --no-browser, and paste the address that the browser is redirected to.",
    cause,
  });
}

function late(patience: number): Failure {
  return new Failure("timeout", `The browser did not return within ${patience / 60_000} minutes`, {
    hint: "If the page showed an error, the server may not have this application: create one, and pass its --client-id.",
  });
}
