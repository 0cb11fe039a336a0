import type { BaseContext } from "../../app/context.ts";
import { levelOf } from "../../app/shared.ts";
import { Failure } from "../../failure/failure.ts";
import type { SettingLevel } from "../../forge/level.ts";
import type { SettingKind } from "../../forge/setting-names.ts";

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
