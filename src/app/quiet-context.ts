import { noOptions } from "../command/global-flags.ts";
import { type Git, openGit } from "../git/git.ts";
import { isKnownServer } from "../profiles/choose.ts";
import { openProfiles, type Profiles } from "../profiles/profiles.ts";
import type { System } from "../system/system.ts";
import { endingSystem } from "./ending.ts";
import { type Connector, connector } from "./open-context.ts";

/** The profiles, git and the selected server, for work that prints nothing and must end in time. */
export interface QuietContext extends Connector {
  readonly system: System;
  readonly git: Git;
  readonly profiles: Profiles;
  /** Rejects when the time is up, which also ends all requests. */
  readonly timeUp: Promise<never>;
}

/** What selects the server and the repository. */
export interface QuietOptions {
  readonly repo?: string | undefined;
  readonly profile?: string | undefined;
  readonly host?: string | undefined;
}

/**
 * Opens a context that prints nothing, never prompts, refuses to send a write, as with `--dry-run`, and ends after `time`
 * milliseconds.
 */
export function openQuietContext(outer: System, given: QuietOptions, time: number): QuietContext {
  const { system, end } = endingSystem(outer);
  const profiles = openProfiles(system);
  const git = openGit(system, undefined, {
    isServer: (host) => isKnownServer(profiles.read(), { env: system.env, host: given.host }, host),
  });
  const out = { records: true, warn() {}, note() {}, unreadable() {}, rename() {}, waiting: () => () => {} };
  const opened = connector({
    system,
    // A dry run refuses writes, whatever an operation does.
    options: { ...noOptions(), dryRun: true, noInput: true, quiet: true, ...given },
    out,
    git,
    profiles,
    namedRepo: undefined,
    journaled: undefined,
    onlyReads: true,
  });
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      end("The time is up");
      reject(system.signal.reason);
    }, time);
  });
  // It may come after the work is done.
  timeUp.catch(() => undefined);
  return {
    ...opened,
    system,
    git,
    profiles,
    timeUp,
    close() {
      clearTimeout(timer);
      end("The work is done");
      opened.close();
    },
  };
}
