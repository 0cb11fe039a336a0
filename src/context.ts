import type { Readable } from "node:stream";
import type { Args, ArgValues } from "./command/args.ts";
import type { Flags, FlagValues } from "./command/flags.ts";
import type { GlobalOptions } from "./command/global-flags.ts";
import type { Forge } from "./forge/index.ts";
import type { RepoName } from "./forge/repo-name.ts";
import type { Git } from "./git/git.ts";
import type { Output } from "./output/output.ts";
import type { OutputStream } from "./output-stream.ts";
import type { Profiles } from "./profiles/profiles.ts";
import type { Server } from "./profiles/server.ts";
import type { Prompter, Questions } from "./prompts/prompter.ts";

/** Standard input. */
export interface InputStream extends Readable {
  readonly isTTY?: boolean;
}

/** The world outside, as `main.ts` or a test provides it. Nothing else in the program touches `process`. */
export interface System {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly now: () => Date;
  /** Waits, in milliseconds; rejects when the signal aborts. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 to 1, for jitter only. */
  readonly random: () => number;
  /** Aborts on Ctrl-C and on SIGTERM; the reason is the `Interruption`. */
  readonly signal: AbortSignal;
  /** Puts the questions in place of the prompt library. */
  readonly questions?: Questions;
}

/** What a command needs to know before it can run. */
export type Scope = "repository" | "server" | "profiles" | "nothing";

/** What every command can reach. */
export interface PlainContext {
  readonly system: System;
  readonly options: GlobalOptions;
  readonly out: Output;
}

/** What every command can reach that has to do with servers. */
export interface BaseContext extends PlainContext {
  readonly prompt: Prompter;
  readonly git: Git;
  readonly profiles: Profiles;
  /** The server in force, which need not be asked anything. */
  readonly choose: () => Promise<Server>;
  /** The server in force and its operations, for the commands that need it only sometimes. */
  readonly connect: () => Promise<ServerContext>;
  /** Another server and its operations: to sign in, or to look at every profile. */
  readonly connectTo: (server: Server) => Promise<ServerContext>;
  /** The repository in force, likewise. */
  readonly locate: () => Promise<RepoName>;
}

/** What a command on a server can reach besides. */
export interface ServerContext {
  readonly server: Server;
  readonly forge: Forge;
}

/** What a command on a repository can reach besides. */
export interface RepositoryContext extends ServerContext {
  readonly repo: RepoName;
}

interface ByScope {
  readonly repository: BaseContext & RepositoryContext;
  readonly server: BaseContext & ServerContext;
  readonly profiles: BaseContext;
  readonly nothing: PlainContext;
}

/** What `run` of a command receives. */
export type CommandContext<S extends Scope, A extends Args, F extends Flags> = ByScope[S] & {
  readonly args: ArgValues<A>;
  readonly flags: FlagValues<F>;
};
