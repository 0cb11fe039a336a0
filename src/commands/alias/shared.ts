import type { CommandTable } from "../../app/context.ts";
import { refuseSudoIn } from "../../app/expand-alias.ts";
import { unknownCommand } from "../../app/help.ts";
import { route } from "../../command/route.ts";
import { UsageError } from "../../failure/failure.ts";
import { record, string } from "../../shape/shape.ts";
import { splitWords } from "../../text/words.ts";

/** An alias as it is printed. */
export const aliasRecord = record({ name: string, expansion: string });

/** Throws a usage error if a name cannot be an alias: no word, or the name of a command. */
export async function checkAliasName(name: string, { table, aliases }: CommandTable): Promise<void> {
  if (!/^[A-Za-z0-9][\w-]*$/.test(name)) {
    throw new UsageError(`'${name}' is not a valid alias name`, "Use letters, digits, dashes and underscores.");
  }
  if (await isTaken(name, { table, aliases })) {
    throw new UsageError(`'${name}' is a command of tongs`, "An alias cannot replace it. Choose another name.");
  }
}

/** Whether a name is that of a command. */
export async function isTaken(name: string, { table, aliases }: CommandTable): Promise<boolean> {
  return ["help", "version"].includes(name) || (await route([name], table, aliases)).to !== "unknown";
}

/** Throws a usage error if an expansion is neither a shell command (`!`) nor begins with a command of tongs. */
export async function checkExpansion(expansion: string, { table, aliases }: CommandTable): Promise<void> {
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
