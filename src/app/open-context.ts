import type { Scope } from "../command/spec.ts";
import { openGit } from "../git/git.ts";
import { openProfiles } from "../profiles/profiles.ts";
import { openPrompter } from "../prompts/prompter.ts";
import { connector } from "./connector.ts";
import type { BaseContext, PlainContext } from "./context.ts";

/** What a command can reach that has to do with servers, each part found when it is first asked for. */
export interface OpenedContext {
  /** With the server, or the server and the repository, in force. */
  readonly on: (scope: Exclude<Scope, "nothing">) => Promise<BaseContext>;
  /** Drops the connections. */
  readonly close: () => void;
}

/** Opens the context of a command. `namedRepo` is the repository that an argument names by itself. */
export function openContext(plain: PlainContext, namedRepo: string | undefined): OpenedContext {
  const { system, options, out } = plain;
  const git = openGit(system);
  const profiles = openProfiles(system.env, out.warn);
  const prompt = openPrompter(system, {
    noInput: options.noInput,
    yes: options.yes || options.dryRun,
    records: out.records,
  });
  const { choose, connect, connectTo, locate, close } = connector({ system, options, out, git, profiles, namedRepo });
  const base: BaseContext = { ...plain, prompt, git, profiles, choose, connect, connectTo, locate };
  return {
    async on(scope) {
      if (scope === "profiles") return base;
      const server = { ...base, ...(await connect()) };
      return scope === "server" ? server : { ...server, repo: await locate() };
    },
    close,
  };
}
