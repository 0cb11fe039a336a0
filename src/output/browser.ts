import { spawn } from "node:child_process";
import { platform } from "node:os";
import { Failure } from "../failure/failure.ts";
import type { System } from "../system/system.ts";

/**
 * Opens a page in `$BROWSER`, else in what the system opens pages with. The address is passed as an argument, never as
 * part of a shell line. Throws a failure that names the address when no browser starts.
 */
export async function openPage(system: System, address: string): Promise<void> {
  const [program, ...args] = opener(system.env);
  const code = await new Promise<number>((resolve) => {
    const child = spawn(program, [...args, address], { stdio: "inherit", env: { ...system.env } });
    child.on("error", () => resolve(-1));
    child.on("close", (ended) => resolve(ended ?? 0));
  });
  if (code === 0) return;
  const hint = `Set BROWSER, or open it yourself: ${address}`;
  throw new Failure("browser", "failure", `No browser could be started (${program})`, { hint });
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
