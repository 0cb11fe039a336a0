import { Failure } from "../failure/failure.ts";
import { repositoryOfUrl } from "../repo/repo-name.ts";
import type { System } from "../system/system.ts";
import { cloneUrl, type Server } from "./server.ts";
import { readSetting } from "./settings-keys.ts";

/** The protocols of git remotes: the values of the setting `git_protocol`. */
export type GitProtocol = "https" | "ssh";

/** What a repository's record says about its address for git. */
interface Place {
  readonly owner: string;
  readonly name: string;
  readonly ssh_url?: string | undefined;
}

/** The protocol of new remotes, by the setting `git_protocol`. */
export function gitProtocol(system: Pick<System, "env" | "platform">): GitProtocol {
  return readSetting(system, "git_protocol") === "ssh" ? "ssh" : "https";
}

/**
 * The URL of a repository for a git remote: over HTTP from the server's own address, over SSH the one that the server
 * names, whose host and port can be others. Throws a `Failure` if the server names none.
 */
export function remoteUrl(server: Server, place: Place, protocol: GitProtocol): string {
  if (protocol === "https") return cloneUrl(server, place);
  const { owner, name, ssh_url: url = "" } = place;
  const found = isSshUrl(url) ? repositoryOfUrl(url) : undefined;
  if (found !== undefined && found.repo === name && found.owner === owner) return url;
  throw new Failure("no_ssh", `${server.base.host} did not return an SSH address of ${owner}/${name}`, {
    hint: "Use HTTPS: tongs config set git_protocol https",
  });
}

/** The protocol of a URL that was typed; undefined for a name. */
export function protocolOf(typed: string): GitProtocol | undefined {
  if (/^https?:\/\//i.test(typed)) return "https";
  return isSshUrl(typed) ? "ssh" : undefined;
}

/**
 * Whether it is `ssh://[USER@]HOST[:PORT]/PATH` or `[USER@]HOST:PATH`, and nothing that git reads as an option or a
 * helper.
 */
function isSshUrl(url: string): boolean {
  const host = String.raw`(?:[\w.+-]+@)?(?:[\w][\w.-]*|\[[\da-f:.]+\])`;
  return new RegExp(String.raw`^(?:ssh://${host}(?::\d+)?/|${host}:(?!/))[^\s\p{C}]+$`, "iu").test(url);
}
