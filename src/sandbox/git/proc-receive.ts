import type { Proposed, RefChange, Site } from "../site.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import type { RepoRecord } from "../state/records/repos.ts";

/** The refs that git leaves to the proc-receive hook (AGit), and that clients may send push options. */
export const procReceiveConfig = ["-c", "receive.procReceiveRefs=refs/for", "-c", "receive.advertisePushOptions=true"];

/**
 * The proc-receive hook (gitprotocol-pack, githooks): moves the ref of the pull request in place of `refs/for/…`. What becomes
 * of each command is decided beforehand and passed in the environment: a line of the command's ref, the ref of the pull
 * request, its commits before and after, and whether it may be forced; or its ref, `-`, and why it is refused. All is written
 * before git asks, and what it asks is not read: the environment has it.
 */
export const procReceive = `#!/bin/sh
packet() {
  printf '%04x%s' "$((\${#1} + 4))" "$1"
}
printf '001aversion=1\\000push-options0000'
while read -r ref target old new force reason; do
  if [ "$target" = - ]; then
    packet "ng $ref $old $new $force $reason"
  elif [ "$force" = no ] && ! git merge-base --is-ancestor "$old" "$new" 2>/dev/null; then
    packet "ng $ref $reason"
  elif git update-ref "$target" "$new" >/dev/null 2>&1; then
    packet "ok $ref"
    packet "option refname $target"
    packet "option old-oid $old"
    packet "option new-oid $new"
    [ "$force" = no ] || packet "option forced-update"
  else
    packet "ng $ref could not update $target"
  fi
done <<END
$TONGS_AGIT
END
printf 0000
exec cat >/dev/null
`;

/** A command of a push, and what a proposal makes of it. */
export interface Proposal {
  readonly command: RefChange;
  readonly proposed: Proposed;
}

/** What becomes of the pushes to `refs/for/…`. */
export async function proposalsOf(
  site: Site,
  repo: RepoRecord,
  currentUser: UserRecord,
  { commands, options }: { readonly commands: readonly RefChange[]; readonly options: ReadonlyMap<string, string> },
): Promise<Proposal[]> {
  const found: Proposal[] = [];
  for (const command of commands) {
    if (!isProposal(command)) continue;
    for (const area of site.areas) {
      const proposed = await area.proposed?.(site, { repo, currentUser, command, options });
      if (proposed !== undefined) found.push({ command, proposed });
    }
  }
  return found;
}

/** Whether a command is a push to `refs/for/…`. */
export function isProposal({ ref }: RefChange): boolean {
  return ref.startsWith("refs/for/");
}

/** The environment of the hook. */
export function proposalEnv(proposals: readonly Proposal[]): Record<string, string> {
  const lines = proposals.map(({ command: { ref, to = "" }, proposed }) =>
    "refuse" in proposed
      ? `${ref} - ${proposed.refuse}`
      : [
          ref,
          proposed.ref,
          proposed.from,
          to,
          proposed.mustBeAhead === undefined ? "yes" : "no",
          proposed.mustBeAhead,
        ].join(" "),
  );
  return lines.length === 0 ? {} : { TONGS_AGIT: lines.join("\n") };
}

/** The push options of a push (gitprotocol-pack): the packets after the commands, if the client sends any. */
export function readPushOptions(body: Buffer): ReadonlyMap<string, string> {
  const options = new Map<string, string>();
  let [section, sends] = [0, false];
  for (let at = 0; at + 4 <= body.length && section < (sends ? 2 : 1); ) {
    const length = Number.parseInt(body.toString("latin1", at, at + 4), 16);
    if (!(length >= 4)) {
      section += 1;
      at += 4;
      continue;
    }
    const line = body.toString("utf8", at + 4, at + length);
    if (section === 0) sends ||= (line.split("\0")[1] ?? "").split(/\s/).includes("push-options");
    else {
      const [, key = "", value = ""] = /^([^=]*)(?:=(.*))?$/s.exec(line.replace(/\n$/, "")) ?? [];
      options.set(key, value);
    }
    at += length;
  }
  return options;
}
