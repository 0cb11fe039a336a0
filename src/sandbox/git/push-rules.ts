import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { accessTo } from "../http/access.ts";
import type { Site } from "../site.ts";
import type { RepoRecord } from "../state/repos.ts";
import type { UserRecord } from "../state/users.ts";
import { noCommit, type RefChange } from "./refs.ts";

/** One line of a push. */
export type Command = RefChange;

/** The commands at the head of a push's body (gitprotocol-pack): `old new ref`, one a packet, up to the flush packet. */
export function readCommands(body: Buffer): Command[] {
  const commands: Command[] = [];
  for (let at = 0; at + 4 <= body.length; ) {
    const length = Number.parseInt(body.toString("latin1", at, at + 4), 16);
    if (!(length >= 4)) break;
    const [line = ""] = body.toString("utf8", at + 4, at + length).split("\0");
    const [from = "", to = "", ref = ""] = line.trim().split(" ");
    if (ref !== "") commands.push({ ref, from: idOrNothing(from), to: idOrNothing(to) });
    at += length;
  }
  return commands;
}

const idOrNothing = (id: string) => (id === noCommit ? undefined : id);

/**
 * Our pre-receive hook: git runs it while the new objects are still in quarantine, so it can refuse a push whole.
 * What to refuse is worked out before and handed over in the environment.
 */
const hook = `#!/bin/sh
[ -z "$TONGS_REFUSE" ] || { echo "$TONGS_REFUSE" >&2; exit 1; }
while read -r old new ref; do
  case " $TONGS_NO_FORCE " in *" $ref "*)
    git merge-base --is-ancestor "$old" "$new" 2>/dev/null || {
      echo "Gitea: branch \${ref#refs/heads/} is protected from force push" >&2; exit 1; } ;;
  esac
done
exit 0
`;

/** Writes the hooks that pushes go through. */
export async function writeHooks(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "pre-receive"), hook, { mode: 0o755 });
}

/** What the hook is told about a push: a refusal, or the branches that must not be forced. */
export function refusalOf(
  site: Site,
  repo: RepoRecord,
  me: UserRecord,
  commands: readonly Command[],
): Record<string, string> {
  const isWriter = accessTo(site, me, repo).atLeast("write", "code");
  const granted = new Set(site.areas.flatMap((area) => area.pushableBranches?.(site, repo, me) ?? []));
  const noForce: string[] = [];
  for (const command of commands) {
    const branch = command.ref.startsWith("refs/heads/") ? command.ref.slice("refs/heads/".length) : undefined;
    if (command.ref.startsWith("refs/pull/")) return { TONGS_REFUSE: "Gitea: The pull request refs are read-only" };
    if (!isWriter && (branch === undefined || !granted.has(branch))) {
      return { TONGS_REFUSE: "Gitea: User permission denied for writing." };
    }
    for (const area of site.areas) {
      const said = area.judgePush?.(site, { repo, me, command });
      if (said !== undefined && said !== "no force") return { TONGS_REFUSE: `Gitea: ${said.refuse}` };
      if (said === "no force" && command.from !== undefined) noForce.push(command.ref);
    }
  }
  return noForce.length === 0 ? {} : { TONGS_NO_FORCE: noForce.join(" ") };
}
