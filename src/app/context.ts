import type { Args, ArgValues } from "../command/args.ts";
import type { Flags, FlagValues } from "../command/flags.ts";
import type { GlobalOptions } from "../command/global-flags.ts";
import type { Aliases } from "../command/route.ts";
import type { CommandSpec, Scope } from "../command/spec.ts";
import type { Table } from "../command/table.ts";
import type { Git } from "../git/git.ts";
import type { Http } from "../http/client.ts";
import type { Output } from "../output/output.ts";
import type { Profiles } from "../profiles/profiles.ts";
import type { Server } from "../profiles/server.ts";
import type { Prompter } from "../prompts/prompter.ts";
import type { RepoName } from "../repo/repo-name.ts";
import type { System } from "../system/system.ts";

/** The table of commands and their aliases. */
export interface CommandTable<C extends CommandSpec = CommandSpec> {
  readonly table: Table<C>;
  readonly aliases: Aliases;
  /** Loads what the completion scripts and tongs itself run: `tongs __complete WORD…`. */
  readonly internal?: ReadonlyMap<string, () => Promise<InternalCommand>>;
}

/** Runs a command line and returns its exit code. */
export type RunLine = (argv: readonly string[], system: System) => Promise<number>;

/** Prints an answer for a program, and returns the exit code. */
export type InternalCommand = (words: readonly string[], system: System, commands: CommandTable) => Promise<number>;

/** The context of every command. */
export interface PlainContext {
  readonly system: System;
  readonly options: GlobalOptions;
  readonly out: Output;
  /** All commands, for `schema` and `mcp serve`. */
  readonly commands: CommandTable;
  /** Runs another command line in a system of its own and returns its exit code, for `mcp serve`. */
  readonly run: RunLine;
}

/** The context of commands that use profiles, servers or repositories. */
export interface BaseContext extends PlainContext {
  readonly prompt: Prompter;
  readonly git: Git;
  readonly profiles: Profiles;
  /** The selected server; no request is sent. */
  readonly choose: () => Promise<Server>;
  /** The selected server and its operations, for commands that do not always need them. */
  readonly connect: () => Promise<ServerContext>;
  /** Another server and its operations, to sign in or to check every profile. */
  readonly connectTo: (server: Server) => Promise<ServerContext>;
  /** The selected repository. */
  readonly locate: () => Promise<RepoName>;
  /** Says that what was read can have changed since, so that the journal reads it again before a write. */
  readonly forgetReads: () => void;
  /** Whether the repository was given, by an argument, `-R` or `TONGS_REPO`. */
  readonly isRepoGiven: boolean;
}

/** The additional context of commands on a server. */
export interface ServerContext {
  readonly server: Server;
  readonly http: Http;
}

/** The additional context of commands on a repository. */
export interface RepositoryContext extends ServerContext {
  readonly repo: RepoName;
}

interface ByScope {
  readonly repository: BaseContext & RepositoryContext;
  readonly server: BaseContext & ServerContext;
  readonly profiles: BaseContext;
  readonly nothing: PlainContext;
}

/** The context that `run` of a command receives. */
export type CommandContext<S extends Scope, A extends Args, F extends Flags> = ByScope[S] & {
  readonly args: ArgValues<A>;
  readonly flags: FlagValues<F>;
};
