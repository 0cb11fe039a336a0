import { isGiven, kebab } from "../command/flags.ts";
import type { CommandSpec } from "../command/spec.ts";
import { Failure, UsageError } from "../failure/failure.ts";
import { call } from "../forge/operation.ts";
import { currentUserGet } from "../forge/users.ts";
import type { Http } from "../http/client.ts";
import { DeniedError, NotFoundError } from "../http/errors.ts";
import type { Query } from "../http/path.ts";
import { isSafeHeader } from "../http/redirect.ts";
import type { Server } from "../profiles/server.ts";
import type { System } from "../system/system.ts";

/** Throws a usage error for --sudo on a command that does not use the API of the selected server alone. Nothing was sent. */
export function refuseSudo(
  { external, flags, on, onSelected }: CommandSpec,
  words: readonly string[],
  values: Readonly<Record<string, unknown>>,
): void {
  const name = `tongs ${words.join(" ")}`;
  const browser = Object.keys(flags).find((key) => flags[key]?.opensBrowser && isGiven(values[key], undefined));
  if (browser !== undefined) throw new UsageError(`Specify only one of --sudo or --${kebab(browser)}`);
  if (external === undefined) {
    if (on === "server" || on === "repository" || onSelected === true) return;
    throw new UsageError(`--sudo cannot be used with ${name}: it does not send requests to the selected server alone`);
  }
  const used = external.with?.find((key) => isGiven(values[key], undefined));
  if (external.with !== undefined && used === undefined) return;
  const what = used === undefined ? name : `${name} --${kebab(used)}`;
  throw new UsageError(`--sudo is only for requests to the API: ${what} uses ${external.uses}`);
}

/**
 * Throws a usage error if an MCP tool (`System.confine`) sets a header that can say who sends the request, such as Sudo or
 * Cookie, or such a parameter. Servers read parameters in forms, too: the type of the content is that of the request.
 */
export function refuseIdentity(
  { headers, query }: { readonly headers: Readonly<Record<string, string>>; readonly query: Query },
  { confine }: Pick<System, "confine">,
): void {
  if (confine === undefined) return;
  const header = Object.keys(headers).find((name) => !isSafeHeader(name) && !/^if-/i.test(name));
  if (header !== undefined) throw new UsageError(`Tools cannot set the header ${header}`);
  const parameter = ["sudo", "token", "access_token"].find((name) => query[name] !== undefined);
  if (parameter !== undefined) throw new UsageError(`Tools cannot set the parameter ${parameter}`);
}

/** The selected server, as the user of --sudo. Throws a usage error for what is no username. */
export function asUser(server: Server, sudo: string): Server {
  if (!/^[\w.-]+$/.test(sudo)) throw new UsageError(`--sudo: '${sudo}' is not a username`);
  const again = [...(server.again ?? []), "--sudo", sudo];
  return { ...server, user: sudo, administrator: server.user ?? null, again };
}

/**
 * The name of the user as whom requests are sent (GET /user), in the server's spelling. Throws a `Failure` if the account is
 * not that of an administrator, there is no such user, or the server does not act as the user: a write must not be the
 * administrator's own.
 */
export async function sudoLogin(http: Http, user: string, { host }: URL): Promise<string> {
  const { login } = await call(http, currentUserGet, {}).catch((error: unknown) => {
    if (error instanceof NotFoundError)
      throw new NotFoundError(error.exchange, `User ${user} of --sudo not found on ${host}`);
    if (!(error instanceof DeniedError) || error.status !== 403) throw error;
    const { status, method, path } = error;
    const hint = "--sudo requires a site administrator, and a token that may read its user (read:user).";
    throw new Failure("forbidden", `Cannot act as ${user}: ${error.message}`, {
      status,
      method,
      path,
      hint,
      cause: error,
    });
  });
  if (login.toLowerCase() === user.toLowerCase()) return login;
  throw new Failure("forbidden", `Cannot act as ${user}: ${host} answers as ${login}`, {
    hint: "The server, or a proxy before it, does not pass the header Sudo on.",
  });
}
