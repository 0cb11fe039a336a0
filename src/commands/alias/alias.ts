import { batch } from "../../app/batch.ts";
import type { CommandTable } from "../../app/context.ts";
import { type Command, defineCommand } from "../../app/define.ts";
import { reportDryRun } from "../../app/dry-run.ts";
import { refuseSudoIn } from "../../app/expand-alias.ts";
import { unknownCommand } from "../../app/help.ts";
import { readTargets } from "../../app/input.ts";
import { many, one, word } from "../../command/args.ts";
import { route } from "../../command/route.ts";
import type { Table } from "../../command/table.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { column } from "../../output/table.ts";
import { type AliasMap, openAliases } from "../../profiles/aliases.ts";
import { list as listOf, record, string } from "../../shape/shape.ts";
import { nearest } from "../../text/nearest.ts";
import { splitWords } from "../../text/words.ts";

/** An alias as it is printed. */
const aliasRecord = record({ name: string, expansion: string });

/** Throws a usage error if a name cannot be an alias: no word, or the name of a command. */
async function checkAliasName(name: string, { table, aliases }: CommandTable): Promise<void> {
  if (!/^[A-Za-z0-9][\w-]*$/.test(name)) {
    throw new UsageError(`'${name}' is not a valid alias name`, "Use letters, digits, dashes and underscores.");
  }
  if (await isTaken(name, { table, aliases })) {
    throw new UsageError(`'${name}' is a command of tongs`, "An alias cannot replace it. Choose another name.");
  }
}

/** Whether a name is that of a command. */
async function isTaken(name: string, { table, aliases }: CommandTable): Promise<boolean> {
  return ["help", "version"].includes(name) || (await route([name], table, aliases)).to !== "unknown";
}

/** Throws a usage error if an expansion is neither a shell command (`!`) nor begins with a command of tongs. */
async function checkExpansion(expansion: string, { table, aliases }: CommandTable): Promise<void> {
  if (expansion.startsWith("!")) {
    if (expansion.slice(1).trim() === "") throw new UsageError("The shell command after ! is empty");
    return;
  }
  refuseSudoIn(expansion);
  const words = splitWords(expansion, "The expansion");
  if (words.length === 0) throw new UsageError("The expansion is empty", "To delete an alias, run: tongs alias delete");
  const found = await route(words, table, aliases);
  if (found.to === "unknown") throw await unknownCommand(found);
}

interface Entry {
  readonly name: string;
  readonly expansion: string;
}

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

/** The verbs of `tongs alias`. */
export const verbs: Table<Command> = {
  /** `tongs alias list`: lists the stored aliases. */
  list: async () =>
    defineCommand({
      summary: "List aliases",
      on: "profiles",
      effect: "read",
      lists: ["alias", "aliases"],
      asTool: "none",
      output: listOf(aliasRecord),
      examples: [["List the aliases", "tongs alias list"]],
      async run({ out, system }) {
        const items: Entry[] = Object.entries(openAliases(system).read()).map(([name, expansion]) => ({
          name,
          expansion,
        }));
        items.sort((a, b) => (a.name < b.name ? -1 : 1));
        await out.list(items, [
          column<Entry>("NAME", "name"),
          column<Entry>("EXPANSION", "expansion", { flexible: true }),
        ]);
      },
    }),
  /** `tongs alias set`: stores another name for a command line. */
  set: async () =>
    defineCommand({
      summary: "Create or change an alias",
      details:
        "The expansion is a command line without 'tongs'. $1 to $9 in it stand for the arguments of the alias; other arguments " +
        "are added at the end. An expansion that begins with ! is a shell command, run by sh, with the arguments as $1 and so on.",
      on: "profiles",
      effect: "write",
      args: { name: one("name of the alias", { source: "alias" }), expansion: one("command line it stands for") },
      output: aliasRecord,
      examples: [
        ["Check out pull requests with tongs co", "tongs alias set co 'pr checkout'"],
        ["List issues by label: tongs bugs alice", "tongs alias set bugs 'issue list --label bug --author $1'"],
        ["Count the open issues", "tongs alias set count '!tongs issue list --all --jsonl | wc -l'"],
      ],
      async run({ args, commands, options, out, system }) {
        const { name, expansion } = args;
        await checkAliasName(name, commands);
        await checkExpansion(expansion, commands);
        const store = openAliases(system);
        const old = Object.hasOwn(store.read(), name);
        const what = `${old ? "change" : "add"} alias ${name}`;
        if (await reportDryRun({ out, options }, what)) return;
        await store.update((aliases) => ({ ...aliases, [name]: expansion }));
        await out.done(`${old ? "Changed" : "Added"} alias ${name}: ${expansion}`, { record: { name, expansion } });
      },
    }),
  /** `tongs alias delete`: removes stored aliases. */
  delete: async () =>
    defineCommand({
      summary: "Delete aliases",
      on: "profiles",
      effect: "write",
      result: "deleted",
      args: { name: many("names of aliases", { dash: "lines", source: "alias" }) },
      exits: { partly: "some aliases were deleted, some failed" },
      examples: [["Delete an alias", "tongs alias delete co"]],
      async run(context) {
        const { args, options, out, system } = context;
        const store = openAliases(system);
        const targets = await readTargets(args.name, system);
        if (await reportDryRun({ out, options }, `delete alias ${targets.join(", ")}`)) return;
        return batch(
          targets,
          async (name) => {
            await store.update((aliases) => {
              const { [name]: _gone, ...rest } = aliases;
              if (!Object.hasOwn(aliases, name)) {
                const [near] = nearest(name, Object.keys(aliases));
                throw new Failure("not_found", `Alias '${name}' not found`, {
                  hint: near === undefined ? "List them with: tongs alias list" : `Did you mean: ${near}?`,
                });
              }
              return rest;
            });
            return { message: `Deleted alias ${name}` };
          },
          context,
        );
      },
    }),
  /** `tongs alias import`: adds command names of another tool as aliases. */
  import: async () =>
    defineCommand({
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
    }),
};
