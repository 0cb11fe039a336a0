import { because, type Exchange, HttpError, serverWords } from "./http-error.ts";

/** 401 or 403: not signed in, or not allowed. */
export class DeniedError extends HttpError {
  override readonly name = "DeniedError";
  constructor(exchange: Exchange) {
    const said = serverWords(exchange.body);
    const [code, message, hint] =
      exchange.status === 401
        ? ["not_signed_in", `${exchange.server} did not accept who you are${because(said)}`, signIn(exchange.server)]
        : ["forbidden", `Not allowed on ${exchange.server}${because(said)}`, missingRight(said, exchange.server)];
    super(code, message, exchange, hint);
  }
}

function signIn(server: string): string {
  return `Sign in with: tongs auth login --host ${server}   (or set TONGS_HOST and TONGS_TOKEN)`;
}

function missingRight(said: string, server: string): string | undefined {
  if (said.includes("scope")) return `Make a token with that scope, then: tongs auth login --host ${server}`;
  if (said.includes("password")) return `Change the password on ${server} first.`;
  if (said.includes("site admin")) return "This needs an administrator's account and a token with the admin scope.";
  return undefined;
}
