import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { boolean, type Infer, optional, serverRecord, string, time } from "../shape/shape.ts";

/** A push mirror, which is named by `remote_name`. Passwords are never returned. */
export const pushMirror = serverRecord(
  "a push mirror",
  {
    repo_name: string,
    remote_name: string,
    remote_address: optional(string),
    created: optional(time),
    last_update: optional(time),
    last_error: optional(string),
    interval: optional(string),
    sync_on_commit: optional(boolean),
    /** Forgejo: the SSH key to add to the other server. */
    public_key: optional(string),
  },
  ["remote_name", "remote_address", "created", "last_update", "last_error", "interval", "sync_on_commit", "public_key"],
);

export type PushMirror = Infer<typeof pushMirror>;

/** The body of `POST …/push_mirrors`. `interval` is required; `use_ssh` exists on Forgejo only. */
export interface CreatePushMirrorOption {
  readonly remote_address: string;
  readonly interval: string;
  readonly sync_on_commit: boolean;
  readonly remote_username?: string | undefined;
  readonly remote_password?: string | undefined;
  readonly use_ssh?: true | undefined;
}

/** Push mirrors and pull mirrors (docs/server-differences.md, "Mirrors"). */
export function mirrorsApi(http: Http) {
  const all = (repo: RepoName) => path`/repos/${repo.owner}/${repo.name}/push_mirrors`;
  return {
    list: (repo: RepoName) => http.list(all(repo), { items: pushMirror, unique: "remote_name" }),

    get: (repo: RepoName, name: string) =>
      http.get(path`/repos/${repo.owner}/${repo.name}/push_mirrors/${name}`, { answers: json(pushMirror) }),

    /** The server does not try the address. */
    add: (repo: RepoName, body: CreatePushMirrorOption) => http.post(all(repo), { body, answers: json(pushMirror) }),

    /** 204 also for an unknown one. */
    delete: (repo: RepoName, name: string) =>
      http.delete(path`/repos/${repo.owner}/${repo.name}/push_mirrors/${name}`, { answers: nothing }),

    /** Pushes to all of them now; answers when that is done. */
    sync: (repo: RepoName) =>
      http.post(path`/repos/${repo.owner}/${repo.name}/push_mirrors-sync`, { answers: nothing }),

    /** Queues an update of a pull mirror. */
    pull: (repo: RepoName) => http.post(path`/repos/${repo.owner}/${repo.name}/mirror-sync`, { answers: nothing }),
  };
}
