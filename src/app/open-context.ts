import type { GlobalOptions } from "../command/global-flags.ts";
import type { Scope } from "../command/spec.ts";
import { Failure, UsageError } from "../failure/failure.ts";
import { movedBy } from "../forge/moved.ts";
import { call } from "../forge/operation.ts";
import { repoCheck, repoGet } from "../forge/repos.ts";
import { lacks } from "../forge/server-has.ts";
import { sinceOf } from "../forge/support.ts";
import { type Git, openGit } from "../git/git.ts";
import { type ClientSettings, type Http, httpClient, type Observer } from "../http/client.ts";
import type { DebugLog } from "../http/debug.ts";
import { UnknownOperationError } from "../http/errors.ts";
import type { Transport } from "../http/transport.ts";
import type { Output } from "../output/output.ts";
import { chooseServer, isKnownServer, isOnServer } from "../profiles/choose.ts";
import { openProfiles, type Profiles } from "../profiles/profiles.ts";
import { commandOn, type Server, signInLine } from "../profiles/server.ts";
import { readSetting } from "../profiles/settings-keys.ts";
import { transportFor } from "../profiles/transport.ts";
import { openPrompter } from "../prompts/prompter.ts";
import { fullName, parseRepo, type RepoName, type RepoSpec } from "../repo/repo-name.ts";
import { version } from "../system/files.ts";
import type { System } from "../system/system.ts";
import type { BaseContext, PlainContext, ServerContext } from "./context.ts";
import { endingSystem } from "./ending.ts";
import type { Typed } from "./journal/observe.ts";
import type { KnownRelease } from "./server-release.ts";

/** The context of a command that uses profiles, servers or repositories. Each part is opened on first use. */
export interface OpenedContext {
  /** The context with the selected server, or the server and the repository. */
  readonly on: (scope: Exclude<Scope, "nothing">) => Promise<BaseContext>;
  /** Ends what the command left behind, and closes the connections. */
  readonly close: () => void;
}

/**
 * Opens the context of a command. `namedRepo` is the repository that an argument names (a URL).
 */
export function openContext(
  plain: PlainContext,
  namedRepo: string | undefined,
  {
    journaled,
    onlyReads,
  }: { readonly journaled?: ((repo?: RepoName) => Typed) | undefined; readonly onlyReads: boolean },
): OpenedContext {
  const { options, out } = plain;
  const { system, end } = endingSystem(plain.system);
  const profiles = openProfiles(system, {
    warn: out.warn,
    note: out.note,
    debug: debugLog(plain),
    timeout: (options.timeout ?? 30) * 1000,
  });
  const git = openGit(system, undefined, {
    isServer: (host) => isKnownServer(profiles.read(), { env: system.env, host: options.host }, host),
  });
  const prompt = openPrompter(system, {
    noInput: options.noInput,
    yes: options.yes || options.dryRun,
    records: out.records,
    onAsked: () => forgetReads(),
  });
  const { choose, connect, connectTo, locate, isRepoGiven, forgetReads, close } = connector({
    system,
    options,
    out,
    git,
    profiles,
    namedRepo,
    journaled: journaled && (() => journaled(located)),
    onlyReads,
  });
  let located: RepoName | undefined;
  const locateShown = async () => {
    located = await locate();
    out.describeLists({ where: fullName(located) });
    return located;
  };
  const base: BaseContext = {
    ...plain,
    system,
    prompt,
    git,
    profiles,
    choose,
    connect,
    connectTo,
    locate: locateShown,
    isRepoGiven,
    forgetReads,
  };
  let isClosed = false;
  return {
    async on(scope) {
      if (scope === "profiles") return base;
      const server = { ...base, ...(await connect()) };
      return scope === "server" ? server : { ...server, repo: await locateShown() };
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      end("The command has ended");
      close();
    },
  };
}

interface ConnectorOptions {
  readonly system: System;
  readonly options: GlobalOptions;
  readonly out: Pick<Output, "warn" | "note" | "records" | "waiting" | "unreadable" | "rename">;
  readonly git: Git;
  readonly profiles: Profiles;
  /** The repository that an argument names (a URL). */
  readonly namedRepo: string | undefined;
  /** The command if its writes are recorded in the journal. */
  readonly journaled: (() => Typed) | undefined;
  /** Whether the command only reads. A write is not decided on what is left of a list: a record that cannot be read ends it. */
  readonly onlyReads: boolean;
}

/** Selects the server and the repository of a command and connects, once each and on first use. */
export interface Connector {
  choose(): Promise<Server>;
  connect(): Promise<ServerContext>;
  connectTo(server: Server): Promise<ServerContext>;
  locate(): Promise<RepoName>;
  readonly isRepoGiven: boolean;
  forgetReads(): void;
  close(): void;
}

/** The connector of a command. */
export function connector(needs: ConnectorOptions): Connector {
  const { system, options, git, profiles } = needs;
  // An empty variable is not set, but an empty flag is a mistake: -R "$NAME" must not select the clone's repository.
  const typed = needs.namedRepo ?? options.repo ?? (system.env["TONGS_REPO"] || undefined);
  const named = (): RepoSpec | undefined => (typed === undefined ? undefined : parseRepo(typed));
  let server: Promise<Server> | undefined;
  let connection: Promise<ServerContext> | undefined;
  const transports: Transport[] = [];
  const observers: Observer[] = [];

  const choose = () => {
    server ??= (async () => {
      const chosen = chooseServer(profiles, {
        env: system.env,
        profile: options.profile,
        host: options.host,
        get cwd() {
          return system.cwd;
        },
        repoHost: named()?.host,
        remoteHosts: git.remotes,
      });
      return options.sudo === undefined ? chosen : (await import("./sudo.ts")).asUser(await chosen, options.sudo);
    })();
    return server;
  };

  const noted = new Set<string>();
  /** Says once that something has another name now, which messages use from then on. With JSON output, stderr is for the JSON object of an error. */
  const onMoved = (from: string, to: string) => {
    const moved = movedBy(from, to);
    if (moved === undefined || noted.has(moved.was)) return;
    noted.add(moved.was);
    if (!needs.out.records) needs.out.note(`${moved.was} is ${moved.now} now`);
    if (moved.was.includes("/")) needs.out.rename(moved.was, moved.now);
  };

  const connectTo = async (chosen: Server): Promise<ServerContext> => {
    if (chosen.base.protocol === "https:" && system.env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0") {
      needs.out.warn("Certificates are not verified: NODE_TLS_REJECT_UNAUTHORIZED is 0");
    }
    if (system.env["TONGS_TOKEN"] && !system.env["TONGS_HOST"] && !chosen.tokenInEnvironment)
      needs.out.warn("TONGS_TOKEN is ignored without TONGS_HOST or --host");
    const transport = shownWaiting(transportFor(chosen, system.env), needs.out);
    transports.push(transport);
    const observer = await journalFor(chosen, needs);
    if (observer !== undefined) observers.push(observer);
    const http = openHttp(chosen, transport, observer, { ...needs, onMoved });
    if (chosen.administrator === undefined || chosen.user === undefined) return { server: chosen, http };
    const { sudoLogin } = await import("./sudo.ts");
    return { server: { ...chosen, user: await sudoLogin(http, chosen.user, chosen.base) }, http };
  };

  return {
    choose,
    connectTo,
    isRepoGiven: typed !== undefined,
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
      if (fits !== undefined) return fits.base ?? { owner: fits.owner, name: fits.repo };
      // A clone of something else is not a place for it.
      if (chosen.repo !== undefined && remotes.length === 0) return parseRepo(chosen.repo);
      const hint =
        system.confine === undefined
          ? "Pass -R OWNER/NAME, set TONGS_REPO, or run tongs in a clone."
          : "The repository of tools is selected by: tongs mcp serve -R OWNER/NAME";
      const why = remotes.length > 0 ? `none of the git remotes points to ${chosen.base.host}` : "no git remotes found";
      throw new UsageError(`No repository selected: ${why}`, hint);
    },
    forgetReads() {
      for (const observer of observers) observer.forget();
    },
    close() {
      for (const transport of transports) transport.close();
    },
  };
}

/** A transport that shows on the terminal when a response takes long. */
function shownWaiting(transport: Transport, out: Pick<Output, "waiting">): Transport {
  return {
    async send(request) {
      const end = out.waiting();
      try {
        return await transport.send(request);
      } finally {
        end();
      }
    },
    close: () => transport.close(),
  };
}

/** The journal of writes; undefined if the command only reads, or it is switched off. Nothing is loaded then. */
async function journalFor(server: Server, { journaled, system, out }: ConnectorOptions) {
  if (journaled === undefined) return undefined;
  if ((system.env["TONGS_JOURNAL"] || readSetting(system, "journal")) === "off") return undefined;
  const { openJournal } = await import("./journal/observe.ts");
  return openJournal(journaled, server, { system, warn: out.warn });
}

function debugLog({ options, system }: Pick<PlainContext, "options" | "system">): DebugLog | undefined {
  return options.debug ? (line) => void system.stderr.write(`${line}\n`) : undefined;
}

function openHttp(
  server: Server,
  transport: Transport,
  observer: Observer | undefined,
  { system, options, out, onlyReads, onMoved }: ConnectorOptions & Pick<ClientSettings, "onMoved">,
): Http {
  const debug = debugLog({ options, system });
  let known: Promise<KnownRelease> | undefined;
  const release = () => {
    known ??= import("./server-release.ts").then(({ knownRelease }) => knownRelease(server.base, system));
    return known;
  };
  return httpClient({
    base: server.base,
    authorization: async () => {
      const token = await server.token();
      return token === undefined ? undefined : `token ${token}`;
    },
    signIn: signInLine(server),
    ...(server.tokenInEnvironment === true ? { tokenVariable: "TONGS_TOKEN" } : {}),
    headers: server.headers(),
    ...(server.administrator === undefined || server.user === undefined
      ? {}
      : { sudo: { user: server.user, administrator: server.administrator } }),
    transport,
    retry: {
      sleep: system.sleep,
      random: system.random,
      now: system.now,
      attempts: 4,
      readAttempts: 8,
      onRetry: (reason, wait, lost) => {
        const line = `${reason}; retrying in ${(wait / 1000).toFixed(1)} s`;
        // A lost connection matters only if no retry succeeds, and then the error reports it.
        if (lost) debug?.(line);
        // With JSON output, stderr is for the JSON object of an error.
        else if (!out.records) out.note(line);
      },
    },
    timeout: (options.timeout ?? 30) * 1000,
    dryRun: options.dryRun,
    signal: system.signal,
    debug,
    onWarning: out.warn,
    onMoved,
    userAgent: `tongs/${version}`,
    observer,
    onUnreadable: onlyReads ? out.unreadable : undefined,
    async requires(operation, about, http, fields) {
      const fieldSince = fields.length === 0 ? undefined : (await import("../forge/facts.ts")).fieldSinceAt;
      const [method = "", path = ""] = operation.split(" ");
      for (const field of [undefined, ...fields]) {
        const since = field === undefined ? sinceOf(operation) : fieldSince?.(method, path, field);
        const lacking = since && (await lacks(http, { since, operation, field }, about));
        if (!lacking) continue;
        const exchange = { ...about, status: 0, headers: {}, body: undefined };
        throw new UnknownOperationError(exchange, lacking.hint, lacking.message);
      }
    },
    version: async (http, options) => (await release()).version(http, options),
    described: async (http, version) => (await release()).described(http, version),
    async arrived(sent, since, http) {
      const { readerOf } = await import("../forge/past-writes.ts");
      const { arrived } = await import("./journal/arrived.ts");
      const ago = system.now().getTime() - since.getTime();
      return arrived(sent, ago, readerOf(http, server.user ?? null), http).catch((error: unknown) => {
        if (system.signal.aborted || !(error instanceof Failure)) throw error;
        return undefined;
      });
    },
    explain: async (error, http) => {
      const { explainMissing, explainUnknown } = await import("../forge/explain-missing.ts");
      if (error instanceof UnknownOperationError) {
        (await release()).forget();
        return explainUnknown(error);
      }
      return explainMissing(error, {
        signedIn: (await server.token()) !== undefined,
        exists: (owner, name) => call(http, repoCheck, { repo: { owner, name } }),
        repository: (owner, name) => call(http, repoGet, { repo: { owner, name } }),
        command: (line) => commandOn(server, line),
      });
    },
  });
}
