import { boolean, type Infer, optional, serverRecord, string, time } from "../shape/shape.ts";
import { asAddress, asDuration } from "./applied.ts";
import { operation, pagesOf } from "./operation.ts";
import { cannot } from "./undo.ts";

/** A push mirror, which is named by `remote_name`. Passwords are never returned. */
export const pushMirror = serverRecord(
  "a push mirror",
  {
    remote_name: string,
    remote_address: optional(string),
    created: optional(time),
    last_update: optional(time),
    last_error: optional(string),
    interval: optional(string),
    sync_on_commit: optional(boolean),
    /** Forgejo: the SSH key to add to the other server. */
    public_key: optional(string),
    /** Forgejo 13.0: the branches that are pushed; all if empty. */
    branch_filter: optional(string),
  },
  { repo_name: string },
);

export type PushMirror = Infer<typeof pushMirror>;

export const pushMirrorList = operation("GET", "/repos/{owner}/{repo}/push_mirrors", {
  answers: pagesOf(pushMirror, { unique: "remote_name" }),
});

export const pushMirrorGet = operation("GET", "/repos/{owner}/{repo}/push_mirrors/{name}", { answers: pushMirror });

const signIn = "no server returns it";

/**
 * The server does not try the address. `interval` is required; `use_ssh` exists on Forgejo only. A server without
 * `branch_filter` would push all branches.
 */
export const pushMirrorCreate = operation("POST", "/repos/{owner}/{repo}/push_mirrors", {
  answers: pushMirror,
  strict: ["branch_filter"],
  applied: {
    reads: {
      remote_address: asAddress(({ remote_address }) => remote_address),
      interval: asDuration(({ interval }) => interval),
      use_ssh: ({ public_key }) => Boolean(public_key),
    },
    except: { remote_username: signIn, remote_password: signIn },
    hint: (ignored) =>
      ignored.some(({ name }) => name === "use_ssh") ? "The server has no SSH keys for mirrors." : undefined,
  },
});

/** 204 also for an unknown one. */
export const pushMirrorDelete = operation("DELETE", "/repos/{owner}/{repo}/push_mirrors/{name}");

/** Pushes to all of them now; answers when that is done. */
export const pushMirrorSync = operation("POST", "/repos/{owner}/{repo}/push_mirrors-sync", { undo: cannot.start });

/** Queues an update of a pull mirror. */
export const mirrorSync = operation("POST", "/repos/{owner}/{repo}/mirror-sync", { undo: cannot.start });
