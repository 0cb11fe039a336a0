import type { Fault } from "./http/faults.ts";
import type { Release } from "./release.ts";
import type { Delays } from "./site.ts";
import type { UserRecord } from "./state/records/accounts.ts";

/** The options of a sandbox. */
export interface SandboxOptions {
  /** The port to listen on; 0 picks a free port. */
  readonly port: number;
  /** The folder to store data in. Without it, all data is deleted on close. */
  readonly dir?: string | undefined;
  /** Create only the administrator, no demo project. */
  readonly empty?: boolean | undefined;
  /** The release to behave like (default: the newest of Gitea). */
  readonly release?: Release | undefined;
  /** The address to listen on (default: 127.0.0.1). */
  readonly host?: string | undefined;
  /** Allow an address that other machines can reach. The passwords are not secret. */
  readonly allowRemote?: boolean | undefined;
  /** The users to create instead of the demo project and its administrator. */
  readonly people?: readonly Person[] | undefined;
  readonly now: () => Date;
  /** How long background work takes, in milliseconds. */
  readonly delays?: Partial<Delays> | undefined;
  /** Returns the fault to simulate for a request, if any. */
  readonly fault?: ((method: string, path: string) => Fault | undefined) | undefined;
  /** The environment of git processes (only `PATH` is needed). */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Receives one line per request and per internal error. */
  readonly log?: ((line: string) => void) | undefined;
}

/** A user to create at startup. */
export type Person = Pick<UserRecord, "name" | "password"> &
  Partial<Pick<UserRecord, "email" | "full_name" | "description" | "is_admin" | "visibility">>;

/** A running sandbox. */
export interface Sandbox {
  readonly url: string;
  readonly users: readonly SandboxUser[];
  close(): Promise<void>;
}

/** The credentials of a user. */
export interface SandboxUser {
  readonly login: string;
  readonly password: string;
  readonly token: string;
  readonly is_admin: boolean;
}
