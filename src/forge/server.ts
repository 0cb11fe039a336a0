import { text } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { NotFoundError, UnknownOperationError } from "../http/errors.ts";
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
import { call, operation, respond } from "./operation.ts";

/** The version, kind and clock of a server. */
export interface ServerInfo {
  readonly version: string;
  readonly kind: "Gitea" | "Forgejo";
  /** The time of the response, in whole seconds; undefined if it has none. */
  readonly date: Date | undefined;
}

const version = serverRecord("a version", { version: string });

/** Limits of the API. */
export const apiSettings = serverRecord(
  "API settings",
  {
    max_response_items: optional(integer),
    default_paging_num: optional(integer),
    default_max_blob_size: optional(integer),
    default_max_response_size: optional(integer),
  },
  { default_git_trees_per_page: optional(integer) },
);

/** Which features of repositories the server has turned off. */
export const repositorySettings = serverRecord("repository settings", {
  mirrors_disabled: optional(boolean),
  http_git_disabled: optional(boolean),
  migrations_disabled: optional(boolean),
  stars_disabled: optional(boolean),
  forks_disabled: optional(boolean),
  time_tracking_disabled: optional(boolean),
  lfs_disabled: optional(boolean),
});

/** Settings of the web pages. */
export const uiSettings = serverRecord(
  "UI settings",
  { default_theme: optional(string), allowed_reactions: optional(nullable(list(string))) },
  { custom_emojis: optional(nullable(list(string))) },
);

/** Limits of attachments; `max_size` is in MiB. */
export const attachmentSettings = serverRecord("attachment settings", {
  enabled: optional(boolean),
  max_size: optional(integer),
  max_files: optional(integer),
  /** Endings and MIME types, comma-separated; empty if all are allowed. */
  allowed_types: optional(string),
});

export type AttachmentSettings = Infer<typeof attachmentSettings>;

/** What the server publishes about itself, if federation is on. */
export const nodeInfo = serverRecord(
  "node information",
  { openRegistrations: optional(boolean) },
  {
    version: optional(string),
    software: optional(anything),
    protocols: optional(anything),
    services: optional(anything),
    usage: optional(anything),
    metadata: optional(anything),
  },
);

export type NodeInfo = Infer<typeof nodeInfo>;

export const versionGet = operation("GET", "/version", { answers: version });
export const apiSettingsGet = operation("GET", "/settings/api", { answers: apiSettings });
export const repositorySettingsGet = operation("GET", "/settings/repository", { answers: repositorySettings });
export const uiSettingsGet = operation("GET", "/settings/ui", { answers: uiSettings });
export const attachmentSettingsGet = operation("GET", "/settings/attachment", { answers: attachmentSettings });
export const gpgSigningKeyGet = operation("GET", "/signing-key.gpg", { answers: text });
export const sshSigningKeyGet = operation("GET", "/signing-key.pub", { answers: text });
export const nodeInfoGet = operation("GET", "/nodeinfo", { answers: nodeInfo });

/** The version, kind and clock. The version of Forgejo contains `+gitea-` and the compatible Gitea version. */
export async function aboutServer(http: Http): Promise<ServerInfo> {
  const { value, headers } = await respond(http, versionGet, {});
  const date = new Date(headers["date"] ?? "");
  return {
    version: value.version,
    kind: value.version.includes("+gitea-") ? "Forgejo" : "Gitea",
    date: Number.isNaN(date.getTime()) ? undefined : date,
  };
}

/** The settings that the server publishes, by area. */
export async function serverSettings(http: Http) {
  const [api, repository, ui, attachment] = await Promise.all([
    call(http, apiSettingsGet, {}),
    call(http, repositorySettingsGet, {}),
    call(http, uiSettingsGet, {}),
    call(http, attachmentSettingsGet, {}),
  ]);
  return { api, repository, ui, attachment };
}

/**
 * The public keys that the server signs commits with; null if it has none, which Forgejo says with an empty text
 * (docs/server-differences.md, "Server information").
 */
export async function signingKeys(http: Http): Promise<{ readonly gpg: string | null; readonly ssh: string | null }> {
  const key = async (operation: typeof gpgSigningKeyGet | typeof sshSigningKeyGet) => {
    const bytes = await call(http, operation, {}).catch(nullIfMissing);
    return bytes === null || bytes.length === 0 ? null : bytes.toString("utf8");
  };
  const [gpg, ssh] = await Promise.all([key(gpgSigningKeyGet), key(sshSigningKeyGet)]);
  return { gpg, ssh };
}

/** What the server publishes about itself; null if federation is off or not supported. */
export function nodeInfoOf(http: Http): Promise<NodeInfo | null> {
  return call(http, nodeInfoGet, {}).catch(nullIfMissing);
}

function nullIfMissing(error: unknown): null {
  if (error instanceof NotFoundError || error instanceof UnknownOperationError) return null;
  throw error;
}
