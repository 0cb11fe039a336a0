import type { BaseContext } from "../../../app/context.ts";
import { Failure, UsageError } from "../../../failure/failure.ts";
import {
  type Counts,
  findAtSource,
  isGitea,
  isGitlab,
  listSource,
  type SourceRepo,
  type SourceService,
  seesAll,
} from "../../../forge/import-sources.ts";
import type { Repository } from "../../../forge/repos.ts";
import { addressAt } from "../../../http/address.ts";
import type { Http } from "../../../http/client.ts";
import { connectionOf } from "../../../profiles/connection.ts";
import { addressText, refuseInsecure, type Server, serverAddress, unknownServer } from "../../../profiles/server.ts";
import { contextPattern } from "../../../text/glob.ts";
import { decoded } from "../../../text/percent.ts";
import { ofList, originOf, readsOf, type SourceReads } from "./at-source.ts";
import { nameFault } from "./list-file.ts";
import type { ImportSettings } from "./settings.ts";

/** A repository to import. */
export interface Wanted {
  /** The address that the server clones. */
  readonly address: string;
  readonly name: string;
  readonly description: string;
  readonly private: boolean;
  readonly archived: boolean;
  /** Undefined if it is not known. */
  readonly empty: boolean | undefined;
  /** The items that it does not have. */
  readonly lacks: readonly string[];
  readonly counts: Counts;
  /** Why it cannot be imported. */
  readonly fault?: string | undefined;
}

/** What is at the source. */
export interface Source extends SourceReads {
  /** The word of the migration. */
  readonly service: string;
  readonly wanted: readonly Wanted[];
  /** What repositories of this source have their addresses below; undefined of a list. */
  readonly below: string | undefined;
  /** The addresses of all repositories there, also of those that are not wanted. */
  readonly all: ReadonlySet<string>;
  /** Whether it was asked with a token. */
  readonly signedIn: boolean;
  /** Whether it shows all repositories there are, so that one that is not listed is not there. */
  readonly seesAll: () => Promise<boolean>;
  /** Whether the filters cover a repository that is here and not there; undefined if that cannot be known. */
  readonly covers: (existing: Repository) => boolean | undefined;
}

/** Lists what is to be imported. Throws a `Failure` if there is no such owner, or the server is not of a known kind. */
export async function readSource(
  settings: ImportSettings,
  token: string | undefined,
  context: BaseContext,
): Promise<Source> {
  const { source, entries = [], service = "git" } = settings;
  if (source === undefined) {
    if (token !== undefined) requireOneServer(entries);
    const wanted = entries.map(({ address, name }) => ({
      address,
      name,
      description: "",
      private: settings.private === true,
      archived: false,
      empty: undefined,
      lacks: [],
      counts: {},
    }));
    const unlisted = {
      below: undefined,
      all: new Set<string>(),
      seesAll: async () => false,
      covers: () => false,
    };
    const reads = ofList(settings, (base) => connectTo(base, { token, context }));
    return { service, wanted, ...unlisted, ...reads, signedIn: token !== undefined };
  }
  const place = await placeOf(serverAddress(source), settings.service, { token, context });
  const { base, owner, http, kind } = place;
  const found = await listSource(http, kind, { owner, signedIn: token !== undefined });
  if (found === undefined) {
    const hint =
      token === undefined ? "A private one needs a token: set TONGS_SOURCE_TOKEN, or pass --auth-token-file." : "";
    throw new Failure("not_found", `${addressText(base)} has no user, organization or group '${owner}'`, {
      ...(hint === "" ? {} : { hint }),
    });
  }
  const pathIn = (origin: string) => origin.slice(originOf(addressText(base)).length).replace(/^\//, "");
  const addressAt = (path: string) => `${addressText(base)}/${path}.git`;
  const addressOf = (repo: SourceRepo) => addressAt(repo.path);
  for (const flag of ["include", "exclude"] as const)
    for (const glob of settings[flag])
      if (!found.some(named(glob))) context.out.warn(`--${flag} '${glob}' matches no repository of ${owner}`);
  // A former name leads to the repositories of the present one.
  const present = kind === "gitea" ? (found[0]?.path.split("/")[0] ?? owner) : owner;
  return {
    service: kind,
    wanted: found.filter(selector(settings)).map((repo) => ({
      address: addressOf(repo),
      name: repo.name,
      description: [...repo.description.trim()].slice(0, maxDescription).join(""),
      private: settings.private ?? repo.visibility !== "public",
      archived: repo.archived,
      // GitHub counts in KB: what is less is not known.
      empty: kind === "github" && repo.empty ? undefined : repo.empty,
      lacks: repo.lacks,
      counts: repo.counts,
      fault: pathFault(repo) ?? nameFault(repo.name),
    })),
    below: `${originOf(`${addressText(base)}/${present}`)}/`,
    all: new Set(found.map((repo) => originOf(addressOf(repo)))),
    signedIn: token !== undefined,
    seesAll: async () => token !== undefined && seesAll(http, kind, present),
    covers: coverage(settings, pathIn),
    find: async (address) => {
      const found = await findAtSource(http, kind, pathIn(originOf(address)));
      if (found === undefined) return undefined;
      return { address: found.path === undefined ? undefined : addressAt(found.path), repo: found.repo };
    },
    ...readsOf(kind === "gitea" ? async (address) => ({ http, path: pathIn(originOf(address)) }) : undefined),
  };
}

/** Throws a usage error for a list of several servers: each of them would get the token. */
function requireOneServer(entries: readonly { readonly address: string }[]): void {
  const hosts = [...new Set(entries.map(({ address }) => new URL(address).host))];
  if (hosts.length > 1)
    throw new UsageError(
      `The token would be sent to several servers: ${hosts.join(", ")}`,
      "Make a list for each of them.",
    );
}

/** The longest description that servers take, in characters. */
const maxDescription = 2048;

/** A path that leads elsewhere would send the server, and the token, there. */
function pathFault({ path }: SourceRepo): string | undefined {
  const parts = path.split("/");
  return parts.length > 1 && parts.every((part) => nameFault(part) === undefined)
    ? undefined
    : `${JSON.stringify(path)} is not the path of a repository`;
}

/** Whether a repository is to be imported. A pattern with a slash is for the path, any other for the name. */
function selector(settings: ImportSettings): (repo: SourceRepo) => boolean {
  const { forks, archived, visibility } = settings;
  const isNamed = nameSelector(settings);
  return (repo) =>
    isNamed(repo) &&
    (forks === undefined || repo.fork === forks) &&
    (archived === undefined || repo.archived === archived) &&
    (visibility === undefined || repo.visibility === visibility);
}

/** Whether a pattern matches a name, or a path if it has a slash. */
function named(glob: string): (repo: Pick<SourceRepo, "path" | "name">) => boolean {
  const matches = contextPattern(glob.toLowerCase());
  return ({ path, name }) => matches((glob.includes("/") ? path : name).toLowerCase());
}

/** Whether a name is covered by the patterns. */
function nameSelector({ include, exclude }: ImportSettings): (repo: Pick<SourceRepo, "path" | "name">) => boolean {
  const [wanted, unwanted] = [include.map(named), exclude.map(named)];
  return (repo) =>
    (wanted.length === 0 || wanted.some((matches) => matches(repo))) && !unwanted.some((matches) => matches(repo));
}

/** The filters for a repository that is not at the source: whether it was a fork, archived or internal is not known. */
function coverage(settings: ImportSettings, pathIn: (origin: string) => string): Source["covers"] {
  const isNamed = nameSelector(settings);
  const isKnown = settings.forks === undefined && settings.archived === undefined && settings.visibility === undefined;
  return ({ original_url = "" }) => {
    const path = pathIn(originOf(original_url));
    if (!isNamed({ path, name: path.split("/").at(-1) ?? "" })) return false;
    return isKnown ? true : undefined;
  };
}

interface Place {
  readonly kind: SourceService;
  readonly base: URL;
  readonly owner: string;
  readonly http: Http;
}

interface Access {
  readonly token: string | undefined;
  readonly context: BaseContext;
}

/** The server and the owner in an address. Asks the server what it is, unless that is given or its name says it. */
async function placeOf(address: URL, given: string | undefined, access: Access): Promise<Place> {
  const parts = address.pathname.split("/").filter((part) => part !== "");
  const owner = parts.at(-1);
  if (owner === undefined) {
    const hint = "Pass the address of a user, an organization or a group, such as https://github.com/acme.";
    throw new UsageError(`'${addressText(address)}' names no owner`, hint);
  }
  const root = new URL(address.origin);
  const above = addressAt(root, parts.slice(0, -1).join("/"));
  const gitea = async (): Promise<Place> => ({
    kind: "gitea",
    base: above,
    owner: decoded(owner),
    http: await connectTo(above, access),
  });
  const github = async (): Promise<Place> => {
    const api = root.host === "github.com" ? new URL("https://api.github.com") : addressAt(root, "/api/v3");
    return { kind: "github", base: root, owner: decoded(owner), http: await connectTo(api, access) };
  };
  const gitlab = async (): Promise<Place> => ({
    kind: "gitlab",
    base: root,
    owner: parts.map(decoded).join("/"),
    http: await connectTo(root, access, "private-token"),
  });
  const kind = given ?? knownHosts[root.host];
  if (kind === "github") {
    if (parts.length === 1) return github();
    const owner = addressAt(root, parts[0] ?? "");
    throw new UsageError(`${addressText(address)} is not the address of an owner`, `Pass ${addressText(owner)}`);
  }
  if (kind === "gitlab") return gitlab();
  const first = await gitea();
  if (kind === "gitea") return first;
  const said = await isGitea(first.http);
  if (said === true) return first;
  const second = await gitlab();
  if (await isGitlab(second.http)) return second;
  if (said !== false) throw said;
  const service = "Pass --service github, gitlab or gitea (which is also that of Forgejo).";
  const ofRepo = `If this is the address of a repository, pass that of its owner: ${addressText(above)}`;
  const hint = parts.length === 1 ? service : `${ofRepo}\n${service}`;
  throw new UsageError(`${addressText(above)} does not say which kind of server it is`, hint);
}

const knownHosts: Readonly<Record<string, SourceService>> = { "github.com": "github", "gitlab.com": "gitlab" };

/**
 * Connects to the source with its token, not that of a profile: another server gets it. What a profile of the same origin
 * says of certificates and proxies applies. `header`: the one that the token is sent in, if not Authorization.
 */
async function connectTo(base: URL, { token, context }: Access, header?: string): Promise<Http> {
  const { profiles, system } = context;
  const [name, profile] =
    Object.entries(profiles.read().profiles).find(([, { host }]) => serverAddress(host).origin === base.origin) ?? [];
  const known = name === undefined || profile === undefined ? undefined : connectionOf(profiles, name, profile);
  if (token !== undefined) refuseInsecure(base, profile?.insecure_http === true);
  const headers = () => ({
    ...known?.headers(),
    ...(token === undefined || header === undefined ? {} : { [header]: token }),
  });
  const server: Server = {
    ...unknownServer,
    ca: system.env["TONGS_CA"] || undefined,
    ...known,
    base,
    headers,
    token: async () => (header === undefined ? token : undefined),
    because: "the source of the import",
  };
  return (await context.connectTo(server)).http;
}
