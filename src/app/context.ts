import type { Args, ArgValues } from "../command/args.ts";
import type { Flags, FlagValues } from "../command/flags.ts";
import type { GlobalOptions } from "../command/global-flags.ts";
import type { Aliases } from "../command/route.ts";
import type { CommandSpec, Scope } from "../command/spec.ts";
import type { Table } from "../command/table.ts";
import type { Forge } from "../forge/index.ts";
import type { Git } from "../git/git.ts";
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
}

/** What every command can reach. */
export interface PlainContext {
  readonly system: System;
  readonly options: GlobalOptions;
  readonly out: Output;
  /** Every command there is, for those that describe them. */
  readonly commands: CommandTable;
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
