import { optional } from "../../command/args.ts";
import { inputFile, text } from "../../command/flags.ts";
import { Failure } from "../../failure/failure.ts";
import type { SettingLevel } from "../../forge/level.ts";
import type { SettingKind } from "../../forge/setting-names.ts";
import type { BaseContext, CommandContext } from "../context.ts";
import type { NoArgs } from "../resource-verbs.ts";
import { levelExclusive, levelFlags, levelOf, ownerName } from "../shared.ts";

/**
 * The level that the flags select, for variables or secrets. Throws an `unknown_operation` failure for `--admin`, before
 * anything is sent: no server has an operation for that (docs/server-differences.md, "Variables and secrets").
 */
export async function settingLevel(
  kind: SettingKind,
  flags: { readonly org: string | undefined; readonly user: boolean; readonly admin: boolean },
  context: Pick<BaseContext, "locate">,
): Promise<SettingLevel> {
  const level = await levelOf(flags, context);
  if (level.of !== "server") return level;
  const hint = `Use --org ORG for the ${kind}s of an organization, or --user for yours.`;
  throw new Failure("unknown_operation", `No server has an API for ${kind}s of the whole server`, { hint });
}

/** What the resources of variables and secrets have alike. */
export const ofSettings = (kind: SettingKind) => ({
  on: "server" as const,
  noun: [kind, `${kind}s`] as const,
  a: `a ${kind}`,
  argument: { key: "name", one: `name of the ${kind}`, many: `names of ${kind}s`, source: kind },
  flags: levelFlags,
  exclusive: levelExclusive,
  place: ({ flags, locate }: CommandContext<"server", NoArgs, typeof levelFlags>) =>
    settingLevel(kind, flags, { locate }),
  name: ({ name }: { readonly name: string }) => `${kind} ${name}`,
  where: ownerName,
});

/** What setting variables and secrets has alike: its argument and flags. */
export const setArgs = (kind: SettingKind) => ({ name: optional(`name of the ${kind}`, { source: kind }) });

export const setFlags = (kind: SettingKind) => ({
  bodyFile: inputFile("read the value from a file"),
  envFile: inputFile(`set all ${kind}s in this .env file`, { short: "f" }),
  description: text(`description of the ${kind}`),
});
