import { spawn } from "node:child_process";
import { platform } from "node:os";
import { Failure } from "../failure/failure.ts";
import type { System } from "../system/system.ts";

/**
 * Opens a page in `$BROWSER`, or in the default browser of the system. The address is passed as an argument, never in a
 * shell command. Throws a failure with the address if no browser could be started. If it is not awaited, the process can end
 * before the browser does.
 */
export async function openPage(
  system: System,
  address: string,
  { isAwaited = true }: { readonly isAwaited?: boolean } = {},
): Promise<void> {
  const [program, ...args] = opener(system.env);
  const code = await new Promise<number>((resolve) => {
    const child = spawn(program, [...args, address], { stdio: "inherit", env: { ...system.env } });
    // Some browsers run until they are closed.
    if (!isAwaited) child.unref();
    child.on("error", () => resolve(-1));
    child.on("close", (ended) => resolve(ended ?? 0));
  });
  if (code === 0) return;
  const hint = `Set BROWSER, or open this page: ${address}`;
  throw new Failure("browser", "failure", `Could not start a browser (${program})`, { hint });
}

function opener(env: System["env"]): [program: string, ...args: string[]] {
  const wanted = env["BROWSER"]?.trim().split(/\s+/) ?? [];
  const [program, ...args] = wanted;
  if (program) return [program, ...args];
  switch (platform()) {
    case "darwin":
      return ["open"];
    case "win32":
      return ["rundll32", "url.dll,FileProtocolHandler"];
    default:
      return ["xdg-open"];
  }
}
