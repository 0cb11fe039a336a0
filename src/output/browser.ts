import { spawn } from "node:child_process";
import { Failure } from "../failure/failure.ts";
import { readSetting } from "../profiles/settings-keys.ts";
import { startable } from "../system/program.ts";
import type { System } from "../system/system.ts";

/**
 * Opens a page in `$TONGS_BROWSER`, the setting `browser`, `$BROWSER`, or the default browser of the system. The address is
 * passed as an argument, never in a shell command. Throws a failure with the address if no browser could be started. If it
 * is not awaited, the process can end before the browser does.
 */
export async function openPage(
  system: System,
  address: string,
  { isAwaited = true }: { readonly isAwaited?: boolean } = {},
): Promise<void> {
  const [program, ...args] = opener(system);
  const found = startable(program, system);
  const code = await new Promise<number>((resolve) => {
    if (found === undefined) return resolve(-1);
    // A pipe that a browser holds open would not end with this process.
    const stdio = isAwaited || system.stdout.isTTY === true ? "inherit" : "ignore";
    const child = spawn(found, [...args, address], { stdio, env: { ...system.env } });
    // Some browsers run until they are closed.
    if (!isAwaited) child.unref();
    child.on("error", () => resolve(-1));
    child.on("close", (ended) => resolve(ended ?? 0));
  });
  if (code === 0) return;
  const hint = `Set a browser with tongs config set browser, or open this page: ${address}`;
  throw new Failure("browser", `Could not start a browser (${program})`, { hint });
}

function opener(system: System): [program: string, ...args: string[]] {
  const { env, platform } = system;
  const chosen = env["TONGS_BROWSER"] || readSetting(system, "browser") || env["BROWSER"];
  const wanted = chosen?.trim().split(/\s+/) ?? [];
  const [program, ...args] = wanted;
  if (program) return [program, ...args];
  switch (platform) {
    case "darwin":
      return ["open"];
    case "win32":
      return ["rundll32", "url.dll,FileProtocolHandler"];
    default:
      return ["xdg-open"];
  }
}
