import { json, text, yesNo } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { DeniedError, NotFoundError, UnknownOperationError } from "../http/errors.ts";
import { type Path, path } from "../http/path.ts";
import {
  anything,
  boolean,
  type Infer,
  integer,
  list,
  nullable,
  optional,
  serverRecord,
  string,
} from "../shape/shape.ts";

/** The version, kind and clock of a server. */
export interface ServerInfo {
  readonly version: string;
  readonly kind: "Gitea" | "Forgejo";
  /** The time of the response, in whole seconds; undefined if it has none. */
  readonly date: Date | undefined;
}

const version = serverRecord("a version", { version: string }, ["version"]);

/** Limits of the API. */
export const apiSettings = serverRecord(
  "API settings",
  {
    max_response_items: optional(integer),
    default_paging_num: optional(integer),
    default_git_trees_per_page: optional(integer),
    default_max_blob_size: optional(integer),
    default_max_response_size: optional(integer),
  },
  ["max_response_items", "default_paging_num", "default_max_blob_size", "default_max_response_size"],
);

/** Which features of repositories the server has turned off. */
export const repositorySettings = serverRecord(
  "repository settings",
  {
    mirrors_disabled: optional(boolean),
    http_git_disabled: optional(boolean),
    migrations_disabled: optional(boolean),
    stars_disabled: optional(boolean),
    forks_disabled: optional(boolean),
    time_tracking_disabled: optional(boolean),
    lfs_disabled: optional(boolean),
  },
  [
    "mirrors_disabled",
    "http_git_disabled",
    "migrations_disabled",
    "stars_disabled",
    "forks_disabled",
    "time_tracking_disabled",
    "lfs_disabled",
  ],
);

/** Settings of the web pages. */
export const uiSettings = serverRecord(
  "UI settings",
  {
    default_theme: optional(string),
    allowed_reactions: optional(nullable(list(string))),
    custom_emojis: optional(nullable(list(string))),
  },
  ["default_theme", "allowed_reactions"],
);

/** Limits of attachments; `max_size` is in MiB. */
export const attachmentSettings = serverRecord(
  "attachment settings",
  {
    enabled: optional(boolean),
    allowed_types: optional(string),
    max_size: optional(integer),
    max_files: optional(integer),
  },
  ["enabled", "max_size", "max_files"],
);

/** What the server publishes about itself, if federation is on. */
export const nodeInfo = serverRecord(
  "node information",
  {
    version: optional(string),
    software: optional(anything),
    protocols: optional(anything),
    services: optional(anything),
    openRegistrations: optional(boolean),
    usage: optional(anything),
    metadata: optional(anything),
  },
  ["openRegistrations"],
);

export type NodeInfo = Infer<typeof nodeInfo>;

/** Features that only some servers have, each with an operation to test it. No user or repository is named `-`. */
const probes = {
  workflows: path`/repos/-/-/actions/workflows`,
  runs: path`/repos/-/-/actions/runs`,
  artifacts: path`/repos/-/-/actions/artifacts`,
  badges: path`/admin/users/-/badges`,
} as const;

/** A feature that only some servers have. */
export type Feature = keyof typeof probes;

/** The server itself. */
export function serverApi(http: Http) {
  return {
    /** The version, kind and clock. The version of Forgejo contains `+gitea-` and the compatible Gitea version. */
    about: async (): Promise<ServerInfo> => {
      const { value, headers } = await http.send("GET", path`/version`, {
        answers: json(version),
      });
      const date = new Date(headers["date"] ?? "");
      return {
        version: value.version,
        kind: value.version.includes("+gitea-") ? "Forgejo" : "Gitea",
        date: Number.isNaN(date.getTime()) ? undefined : date,
      };
    },

    /** The settings that the server publishes, by area. */
    settings: async () => {
      const [api, repository, ui, attachment] = await Promise.all([
        http.get(path`/settings/api`, { answers: json(apiSettings) }),
        http.get(path`/settings/repository`, { answers: json(repositorySettings) }),
        http.get(path`/settings/ui`, { answers: json(uiSettings) }),
        http.get(path`/settings/attachment`, { answers: json(attachmentSettings) }),
      ]);
      return { api, repository, ui, attachment };
    },

    /**
     * The public keys that the server signs commits with; null if it has none, which Forgejo says with an empty text
     * (docs/server-differences.md, "Server information").
     */
    signingKeys: async (): Promise<{ readonly gpg: string | null; readonly ssh: string | null }> => {
      const key = async (place: Path) => {
        const bytes = await http.get(place, { answers: text }).catch(nullIfMissing);
        return bytes === null || bytes.length === 0 ? null : bytes.toString("utf8");
      };
      const [gpg, ssh] = await Promise.all([key(path`/signing-key.gpg`), key(path`/signing-key.pub`)]);
      return { gpg, ssh };
    },

    /** What the server publishes about itself; null if federation is off or not supported. */
    nodeInfo: (): Promise<NodeInfo | null> =>
      http.get(path`/nodeinfo`, { answers: json(nodeInfo) }).catch(nullIfMissing),

    /** The features that this server has, found by one request each. */
    features: async (): Promise<Feature[]> => {
      const names = Object.keys(probes) as Feature[];
      const found = await Promise.all(
        names.map((name) => http.get(probes[name], { answers: yesNo }).then(yes, isAvailable)),
      );
      return names.filter((_name, index) => found[index]);
    },
  };
}

const yes = () => true;

function nullIfMissing(error: unknown): null {
  if (error instanceof NotFoundError || error instanceof UnknownOperationError) return null;
  throw error;
}

/** Whether the operation exists: only an existing one answers that a resource is missing or access is denied. */
function isAvailable(error: unknown): boolean {
  if (error instanceof UnknownOperationError) return false;
  if (error instanceof DeniedError) return true;
  throw error;
}
