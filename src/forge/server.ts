import { json, yesNo } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { DeniedError, UnknownOperationError } from "../http/errors.ts";
import { path } from "../http/path.ts";
import { serverRecord, string } from "../shape/shape.ts";

/** The version, kind and clock of a server. */
export interface ServerInfo {
  readonly version: string;
  readonly kind: "Gitea" | "Forgejo";
  /** The time of the response, in whole seconds; undefined if it has none. */
  readonly date: Date | undefined;
}

const version = serverRecord("a version", { version: string }, ["version"]);

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
export const server = (http: Http) => ({
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

  /** The features that this server has, found by one request each. */
  features: async (): Promise<Feature[]> => {
    const names = Object.keys(probes) as Feature[];
    const found = await Promise.all(
      names.map((name) => http.get(probes[name], { answers: yesNo }).then(yes, isAvailable)),
    );
    return names.filter((_name, index) => found[index]);
  },
});

const yes = () => true;

/** Whether the operation exists: only an existing one answers that a resource is missing or access is denied. */
function isAvailable(error: unknown): boolean {
  if (error instanceof UnknownOperationError) return false;
  if (error instanceof DeniedError) return true;
  throw error;
}
