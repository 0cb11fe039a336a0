import type { PlainContext } from "../../app/context.ts";
import type { FlagValues } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { readErrorBody } from "../../http/body.ts";
import { openTransport } from "../../http/connect.ts";
import { isSecret } from "../../http/mask.ts";
import { timeoutFailure } from "../../http/no-answer-error.ts";
import { proxyFor } from "../../http/proxy-for.ts";
import type { WireRequest } from "../../http/transport.ts";
import { credentialsHint } from "../../metrics/forward/answers.ts";
import type { Post } from "../../metrics/forward/delivery.ts";
import { loadTls } from "../../metrics/grpc/tls.ts";
import { requireProfile, serverOf } from "../../profiles/choose.ts";
import type { Config } from "../../profiles/profile.ts";
import { openProfiles } from "../../profiles/profiles.ts";
import { serverAddress } from "../../profiles/server.ts";
import { transportSettings } from "../../profiles/transport.ts";
import { version } from "../../system/files.ts";
import type { tlsFlags } from "./flags.ts";

/** What opening an engine needs of a command. */
interface EngineContext extends Pick<PlainContext, "system"> {
  readonly options: Pick<PlainContext["options"], "profile" | "timeout">;
  readonly out: Pick<PlainContext["out"], "warn" | "note">;
}

/** The address of an engine. Throws a usage error for one that is not valid or has a secret. */
export function engineUrl(typed: string): URL {
  const url = URL.canParse(typed) ? new URL(typed) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UsageError(`'${typed}' is not an http or https address`, "Example: http://127.0.0.1:8428/api/v1/write");
  const secrets = [...url.searchParams.keys()].filter((name) => isSecret(name) || name === "p");
  if (url.username !== "" || url.password !== "" || secrets.length > 0)
    throw new UsageError("The address must not contain credentials: everybody can read arguments", credentialsHint);
  url.hash = "";
  return url;
}

/** An engine that takes readings over HTTP. */
export type Engine = Awaited<ReturnType<typeof openEngine>>;

/**
 * Opens an engine: with the profile `--profile`, or the one for its address, and its certificates, headers, proxy and token,
 * which is the password if the profile has a user. The files of the flags come before those of the profile. Sends nothing yet.
 */
export async function openEngine(
  url: URL,
  { system, options, out }: EngineContext,
  flags: FlagValues<typeof tlsFlags>,
) {
  const { env, signal } = system;
  if (url.protocol === "http:" && (flags.tls || flags.ca !== undefined || flags.cert !== undefined))
    throw new UsageError("--tls, --ca and --cert require an https address");
  const files = loadTls(system, { ...flags, tls: url.protocol === "https:" });
  const profiles = openProfiles(system, { warn: out.warn, note: out.note });
  const config = profiles.read();
  const name = profileOf(config, url, options.profile);
  const server = name === undefined ? undefined : serverOf(profiles, config, name, "its address");
  const token = await server?.token();
  const known = server === undefined ? undefined : transportSettings(server, env);
  const own = files?.own && { cert: String(files.own.cert), key: String(files.own.key), origin: url.origin };
  const transport = openTransport({
    proxy: known?.proxy ?? ((to) => proxyFor(to, env)),
    ca: files?.ca === undefined ? known?.ca : String(files.ca),
    identity: own ?? known?.identity,
  });
  const ownHeaders = {
    "user-agent": `tongs/${version}`,
    ...server?.headers(),
    ...(token !== undefined && { authorization: authorization(server?.user, token) }),
  };

  return {
    /** Its address for messages. */
    address: url.href,
    post: async (...[headers, body]: Parameters<Post>) => {
      const timeout = (options.timeout ?? 30) * 1000;
      const late = new AbortController();
      const request: WireRequest = {
        method: "POST",
        url,
        headers: { ...ownHeaders, ...headers },
        body,
        signal: AbortSignal.any([signal, late.signal]),
        timeout,
      };
      const response = await transport.send(request);
      // The transport ends a body that is silent, but not one that comes byte by byte.
      const expire = () => late.abort(timeoutFailure(url.host, timeout, "sent"));
      const timer = timeout > 0 ? setTimeout(expire, timeout) : undefined;
      try {
        return { status: response.status, headers: response.headers, body: await readErrorBody(response, request) };
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => transport.close(),
  };
}

function authorization(user: string | undefined, token: string): string {
  return user === undefined ? `Bearer ${token}` : `Basic ${Buffer.from(`${user}:${token}`).toString("base64")}`;
}

/** The profile for an address: the named one, or one of a server with this origin and a path that it begins with. */
function profileOf(config: Config, url: URL, named: string | undefined): string | undefined {
  const isFor = (host: string) => {
    const base = serverAddress(host);
    return base.origin === url.origin && `${url.pathname}/`.startsWith(base.pathname.replace(/\/*$/, "/"));
  };
  if (named === undefined) return Object.keys(config.profiles).find((name) => isFor(config.profiles[name]?.host ?? ""));
  const { host } = requireProfile(config, named);
  if (isFor(host)) return named;
  throw new UsageError(`Profile '${named}' is for ${host}, not for ${url.origin}`);
}
