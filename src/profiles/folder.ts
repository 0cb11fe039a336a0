import { homedir } from "node:os";
import { join } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

/** The configuration folder: `TONGS_CONFIG_DIR`, or `tongs` in the XDG folder. */
export function configFolder(env: Env): string {
  const own = env["TONGS_CONFIG_DIR"];
  if (own !== undefined && own !== "") return own;
  const xdg = env["XDG_CONFIG_HOME"];
  const home = env["HOME"] || env["USERPROFILE"] || homedir();
  return join(xdg?.startsWith("/") ? xdg : join(home, ".config"), "tongs");
}
