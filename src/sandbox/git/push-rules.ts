import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { accessTo, maintainedBranches } from "../http/access.ts";
import type { RefChange, RepoAt } from "../site.ts";
import { privateFolder } from "../state/folder.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import { mayForcePush, mayPush, mayTag, ruleFor } from "../state/rules.ts";
import { noCommit } from "./refs.ts";

/** Parses the commands of a push (gitprotocol-pack): packets of `old new ref` up to the flush packet. */
export function readCommands(body: Buffer): RefChange[] {
  const commands: RefChange[] = [];
  for (let at = 0; at + 4 <= body.length; ) {
    const length = Number.parseInt(body.toString("latin1", at, at + 4), 16);
    if (!(length >= 4)) break;
    const [line = ""] = body.toString("utf8", at + 4, at + length).split("\0");
    const [from, to, ref = ""] = line.trim().split(" ");
    const known = (id: string | undefined) => (id === noCommit ? undefined : id);
    if (ref !== "") commands.push({ ref, from: known(from), to: known(to) });
    at += length;
  }
  return commands;
}

/**
 * The pre-receive hook can reject a whole push because git runs it while the new objects are in quarantine; its decision is
 * made beforehand and passed in the environment.
 */
const preReceive = `#!/bin/sh
refuse() {
  printf '\\nerror:\\nerror: %s\\nerror:\\n' "$1" >&2
  exit 1
}
[ -z "$TONGS_REFUSE" ] || refuse "$TONGS_REFUSE"
while read -r old new ref; do
  case " $TONGS_NO_FORCE " in *" $ref "*)
    git merge-base --is-ancestor "$old" "$new" 2>/dev/null ||
      refuse "branch \${ref#refs/heads/} is protected from force push" ;;
  esac
done
exit 0
`;

/** Writes the git hooks to a folder. */
export async function writeHooks(folder: string): Promise<void> {
  await privateFolder(folder);
  await writeFile(join(folder, "pre-receive"), preReceive, { mode: 0o755 });
}

/** The environment of the pre-receive hook: an error message, or the branches that must not be force-pushed. */
export function pushRules(
  { site, repo }: RepoAt,
  currentUser: UserRecord,
  commands: readonly RefChange[],
): Record<string, string> {
  const isWriter = accessTo(site, currentUser, repo).atLeast("write", "code");
  const maintained = isWriter ? [] : maintainedBranches(site, repo, currentUser);
  const noForce: string[] = [];
  for (const { ref, from, to } of commands) {
    const [, kind, name = ""] = /^refs\/(heads|tags|pull|for)\/(.*)$/.exec(ref) ?? [];
    const refuse = (why: string) => ({ TONGS_REFUSE: why });
    if (kind === "pull") return refuse("The pull request refs are read-only");
    if (kind === "for") return refuse("The sandbox takes no pushes to refs/for");
    if (!isWriter && !maintained.includes(name)) return refuse("User permission denied for writing.");
    if (kind === "tags" && !mayTag(site.store, repo.id, name, currentUser)) return refuse(`Tag ${name} is protected`);
    if (kind !== "heads") continue;
    const rule = ruleFor(site.store, repo.id, name);
    if (to === undefined && rule) return refuse(`branch ${name} is protected from deletion`);
    if (to === undefined && name === repo.default_branch)
      return refuse(`branch ${name} is the default branch and cannot be deleted`);
    if (rule && !mayPush(site.store, rule, currentUser))
      return refuse(`Not allowed to push to protected branch ${name}`);
    if (rule && from !== undefined && !mayForcePush(site.store, rule, currentUser)) noForce.push(ref);
  }
  return { TONGS_NO_FORCE: noForce.join(" ") };
}
