import { defineCommand } from "../../app/define.ts";
import { reportDryRun } from "../../app/dry-run.ts";
import { word } from "../../command/args.ts";
import { route } from "../../command/route.ts";
import { type AliasMap, openAliases } from "../../profiles/aliases.ts";
import { list as listOf } from "../../shape/shape.ts";
import { aliasRecord, isTaken } from "./shared.ts";

/** Command names of other tools that tongs does not have itself. */
const namesOf: Readonly<Record<"gh" | "tea", AliasMap>> = {
  gh: {
    co: "pr checkout",
    ruleset: "branch protection",
    prs: "pr list",
    pv: "pr view",
  },
  tea: {
    pulls: "pr",
    pull: "pr",
    issues: "issue",
    i: "issue",
    labels: "label",
    milestones: "milestone",
    ms: "milestone",
    releases: "release",
    branches: "branch",
    b: "branch",
    repos: "repo",
    clone: "repo clone",
    webhooks: "hook",
    hooks: "hook",
    times: "issue time list",
    notifications: "notification",
    n: "notification",
    organizations: "org",
    logins: "profile list",
    whoami: "user view",
    o: "browse",
    open: "browse",
  },
};

/** `tongs alias import`: adds command names of another tool as aliases. */
export const importAliases = defineCommand({
  summary: "Import command names of another tool as aliases",
  details: "Existing aliases are kept, and tongs commands are not replaced.",
  on: "profiles",
  effect: "write",
  args: { tool: word(["gh", "tea"], "the other tool") },
  output: listOf(aliasRecord),
  examples: [["Type tongs pulls as with tea", "tongs alias import tea"]],
  async run({ args, commands, options, out, system }) {
    const store = openAliases(system);
    const known = store.read();
    const added: { name: string; expansion: string }[] = [];
    for (const [name, expansion] of Object.entries(namesOf[args.tool])) {
      if (Object.hasOwn(known, name) || (await isTaken(name, commands))) continue;
      const { to } = await route(expansion.split(" "), commands.table, commands.aliases);
      if (to !== "unknown") added.push({ name, expansion });
    }
    if (await reportDryRun({ out, options }, `add ${added.length} aliases`)) return;
    const entries = added.map(({ name, expansion }) => [name, expansion]);
    await store.update((aliases) => ({ ...Object.fromEntries(entries), ...aliases }));
    const names = added.length === 0 ? "No aliases to add" : `Added ${added.map(({ name }) => name).join(", ")}`;
    await out.done(names, { record: added });
  },
});
