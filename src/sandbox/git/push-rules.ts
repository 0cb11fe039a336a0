import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { accessTo } from "../http/access.ts";
import { pathOf } from "../http/route.ts";
import type { RefChange, Site } from "../site.ts";
import { privateFolder } from "../state/folder.ts";
import type { UserRecord } from "../state/records/accounts.ts";
import type { RepoRecord } from "../state/records/repos.ts";
import { isProposal, procReceive } from "./proc-receive.ts";
import { noCommit } from "./refs.ts";

/** Parses the commands of a push (gitprotocol-pack): packets of `old new ref` up to the flush packet. */
export function readCommands(body: Buffer): RefChange[] {
  const commands: RefChange[] = [];
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
 * The git hooks. pre-receive can reject a whole push because git runs it while the new objects are in quarantine; its
 * decision is made beforehand and passed in the environment. post-receive only prints a message.
 */
const hooks = {
  "pre-receive": `#!/bin/sh
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
`,
  "post-receive": `#!/bin/sh
[ -z "$TONGS_GREET" ] || printf '\\n%s\\n\\n' "$TONGS_GREET" >&2
exit 0
`,
  "proc-receive": procReceive,
};

/** Writes the git hooks to a folder. */
export async function writeHooks(folder: string): Promise<void> {
  await privateFolder(folder);
  for (const [name, script] of Object.entries(hooks)) await writeFile(join(folder, name), script, { mode: 0o755 });
}

/** The message after a push to a branch: the URL of its pull request, or of the page to create one. */
export function pushGreeting(site: Site, repo: RepoRecord, commands: readonly RefChange[]): Record<string, string> {
  const { web } = pathOf({ site, origin: site.root }, repo);
  const lines = commands.flatMap(({ ref, to }) => {
    const branch = ref.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : repo.default_branch;
    if (to === undefined || isProposal({ ref, to, from: undefined }) || branch === repo.default_branch || repo.empty)
      return [];
    const pull = site.areas.map((area) => area.openPull?.(site, repo, branch)).find((number) => number !== undefined);
    return pull === undefined
      ? [`Create a new pull request for '${branch}':`, `  ${web}/pulls/new/${branch}`]
      : ["Visit the existing pull request:", `  ${web}/pulls/${pull}`];
  });
  return lines.length === 0 ? {} : { TONGS_GREET: lines.join("\n") };
}

/** The environment of the pre-receive hook: an error message, or the branches that must not be force-pushed. */
export function pushRefusal(
  site: Site,
  repo: RepoRecord,
  currentUser: UserRecord,
  commands: readonly RefChange[],
): Record<string, string> {
  const isWriter = accessTo(site, currentUser, repo).atLeast("write", "code");
  const granted = new Set(site.areas.flatMap((area) => area.pushableBranches?.(site, repo, currentUser) ?? []));
  const noForce: string[] = [];
  for (const command of commands) {
    if (isProposal(command)) continue;
    const branch = command.ref.startsWith("refs/heads/") ? command.ref.slice("refs/heads/".length) : undefined;
    if (command.ref.startsWith("refs/pull/")) return { TONGS_REFUSE: "The pull request refs are read-only" };
    if (!isWriter && (branch === undefined || !granted.has(branch))) {
      return { TONGS_REFUSE: "User permission denied for writing." };
    }
    for (const area of site.areas) {
      const result = area.checkPush?.(site, { repo, currentUser, command });
      if (result !== undefined && result !== "no force") return { TONGS_REFUSE: result.refuse };
      if (result === "no force" && command.from !== undefined) noForce.push(command.ref);
    }
  }
  return noForce.length === 0 ? {} : { TONGS_NO_FORCE: noForce.join(" ") };
}
