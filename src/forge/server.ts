import { json, yesNo } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { DeniedError, UnknownOperationError } from "../http/errors.ts";
import { path } from "../http/path.ts";

/** What a server says of itself. */
export interface About {
  readonly version: string;
  readonly kind: "Gitea" | "Forgejo";
  /** Its clock when it answered, in seconds' precision; undefined where it sent none. */
  readonly date: Date | undefined;
}

/** What only some servers have, and an operation that tells; nothing is called `-`, so nothing is found either. */
const probes = {
  workflows: path`/repos/-/-/actions/workflows`,
  runs: path`/repos/-/-/actions/runs`,
  artifacts: path`/repos/-/-/actions/artifacts`,
  badges: path`/admin/users/-/badges`,
} as const;

/** A thing that only some servers have. */
export type Ability = keyof typeof probes;

/** The server itself (api-facts 3.6.19, 8). */
export const server = (http: Http) => ({
  /** Its version, kind and clock. Forgejo names the Gitea release that it keeps to. */
  about: async (): Promise<About> => {
    const { value, headers } = await http.send("GET", path`/version`, {
      answers: json<{ readonly version: string }>(),
    });
    const date = new Date(headers["date"] ?? "");
    return {
      version: value.version,
      kind: value.version.includes("+gitea-") ? "Forgejo" : "Gitea",
      date: Number.isNaN(date.getTime()) ? undefined : date,
    };
  },

  /** Which of the things that only some servers have it offers, found by asking for each. */
  abilities: async (): Promise<Ability[]> => {
    const names = Object.keys(probes) as Ability[];
    const found = await Promise.all(names.map((name) => http.get(probes[name], { answers: yesNo }).then(yes, exists)));
    return names.filter((_name, index) => found[index]);
  },
});

const yes = () => true;

/** Whether the operation is there: "no such thing" and "not allowed" come only from operations that are. */
function exists(error: unknown): boolean {
  if (error instanceof UnknownOperationError) return false;
  if (error instanceof DeniedError) return true;
  throw error;
}
