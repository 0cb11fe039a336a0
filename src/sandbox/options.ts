import type { Fault } from "./http/faults.ts";
import type { Delays } from "./site.ts";
import type { Visibility } from "./state/records/accounts.ts";

export interface SandboxOptions {
  /** 0 picks a free one. */
  readonly port: number;
  /** Where the state is kept; without it everything is gone at the end. */
  readonly dir?: string | undefined;
  /** No demonstration project: only the administrator. */
  readonly empty?: boolean | undefined;
  /** Default 127.0.0.1. */
  readonly host?: string | undefined;
  /** Lets other machines reach it. Its passwords are no secrets. */
  readonly allowRemote?: boolean | undefined;
  /** The people to make in place of the demonstration and its administrator. */
  readonly people?: readonly Person[] | undefined;
  readonly now: () => Date;
  /** How long things take that happen after an answer; in milliseconds. */
  readonly delays?: Partial<Delays> | undefined;
  /** What goes wrong on purpose, asked for each request to the API. */
  readonly fault?: ((method: string, path: string) => Fault | undefined) | undefined;
  /** Environment of the git programs (`PATH` is what matters). */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** One line for each request, and for what went wrong inside. */
  readonly log?: ((line: string) => void) | undefined;
}

export interface Person {
  readonly name: string;
  readonly password: string;
  readonly email?: string;
  readonly full_name?: string;
  readonly description?: string;
  readonly is_admin?: boolean;
  readonly visibility?: Visibility;
}

export interface Sandbox {
  readonly url: string;
  readonly users: readonly SandboxUser[];
  close(): Promise<void>;
}

export interface SandboxUser {
  readonly login: string;
  readonly password: string;
  readonly token: string;
  readonly is_admin: boolean;
}
