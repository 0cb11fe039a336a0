import type { GlobalOptions } from "../command/global-flags.ts";
import { UsageError } from "../failure/failure.ts";
import { explainMissing } from "../forge/explain-missing.ts";
import { type Forge, forgeOn } from "../forge/index.ts";
import type { Git } from "../git/git.ts";
import { yesNo } from "../http/answers.ts";
import { readAuthorities } from "../http/authority.ts";
import { httpClient } from "../http/client.ts";
import { openTransport } from "../http/connect.ts";
import { path } from "../http/path.ts";
import { proxyFor } from "../http/proxy-for.ts";
import type { Transport } from "../http/transport.ts";
import type { Output } from "../output/output.ts";
import { chooseServer, isOnServer } from "../profiles/choose.ts";
import type { Profiles } from "../profiles/profiles.ts";
import type { Server } from "../profiles/server.ts";
import { parseRepo, type RepoName, type RepoSpec } from "../repo/repo-name.ts";
import { version } from "../system/package.ts";
import type { System } from "../system/system.ts";
import type { ServerContext } from "./context.ts";

interface Needs {
  readonly system: System;
  readonly options: GlobalOptions;
  readonly out: Output;
  readonly git: Git;
  readonly profiles: Profiles;
  /** The repository that an argument names by itself. */
  readonly namedRepo: string | undefined;
}

/** The way from a command to its server and repository, each found once and only when asked for. */
export interface Connector {
  choose(): Promise<Server>;
  connect(): Promise<ServerContext>;
  connectTo(server: Server): Promise<ServerContext>;
  locate(): Promise<RepoName>;
  close(): void;
}

/** Makes the connector of one command. */
export function connector(needs: Needs): Connector {
  const { system, options, git, profiles } = needs;
  const named = (): RepoSpec | undefined => {
    const typed = needs.namedRepo ?? options.repo ?? system.env["TONGS_REPO"];
    return typed === undefined || typed === "" ? undefined : parseRepo(typed);
  };
  let server: Promise<Server> | undefined;
  let connection: Promise<ServerContext> | undefined;
  const transports: Transport[] = [];

  const choose = () => {
    server ??= (async () =>
      chooseServer(profiles, {
        ...{ env: system.env, cwd: system.cwd, profile: options.profile, host: options.host },
        repoHost: named()?.host,
        remoteHosts: async () => (await git.remotes()).map((remote) => remote.host),
      }))();
    return server;
  };

  const connectTo = async (chosen: Server): Promise<ServerContext> => {
    if (chosen.base.protocol === "https:" && system.env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0") {
      needs.out.warn("Certificates are not verified: NODE_TLS_REJECT_UNAUTHORIZED is 0");
    }
    const transport = openTransport({
      proxy: (url) => proxyFor(url, system.env, chosen.proxy),
      ca: chosen.ca === undefined ? undefined : readAuthorities(chosen.ca, system.env),
    });
    transports.push(transport);
    return { server: chosen, forge: openForge(chosen, transport, needs) };
  };

  return {
    choose,
    connectTo,
    connect() {
      connection ??= choose().then(connectTo);
      return connection;
    },
    async locate() {
      const spec = named();
      if (spec !== undefined) return { owner: spec.owner, name: spec.name };
      const chosen = await choose();
      const remotes = await git.remotes();
      const fits = remotes.find((remote) => isOnServer(profiles.read(), chosen, remote.host));
      if (fits !== undefined) return { owner: fits.owner, name: fits.repo };
      if (chosen.repo !== undefined) return parseRepo(chosen.repo);
      const hint = "Name it with -R OWNER/NAME or TONGS_REPO, or work in a clone of it.";
      const why = remotes.length > 0 ? `no git remote here is on ${chosen.base.host}` : "there is no git remote here";
      throw new UsageError(`Which repository? None is named, and ${why}`, hint);
    },
    close() {
      for (const transport of transports) transport.close();
    },
  };
}

function openForge(server: Server, transport: Transport, { system, options, out }: Needs): Forge {
  return forgeOn(
    httpClient({
      base: server.base,
      authorization: server.token === undefined ? undefined : `token ${server.token}`,
      transport,
      retry: {
        ...{ sleep: system.sleep, random: system.random, now: system.now, attempts: 4 },
        // With records stderr is for the one JSON object of an error.
        onRetry: (reason, wait) => {
          if (!out.records) out.note(`${reason}; trying again in ${(wait / 1000).toFixed(1)} s`);
        },
      },
      timeout: (options.timeout ?? 30) * 1000,
      dryRun: options.dryRun,
      signal: system.signal,
      debug: options.debug ? (line) => system.stderr.write(`${line}\n`) : undefined,
      onWarning: out.warn,
      userAgent: `tongs/${version}`,
      explain: (error, http) =>
        explainMissing(error, {
          signedIn: server.token !== undefined,
          exists: (owner, name) => http.get(path`/repos/${owner}/${name}`, { answers: yesNo }),
        }),
    }),
  );
}
