import { join } from "node:path";
import { emptyFolder } from "../../support/tongs.ts";

/** What the user does on the pages. */
export type Deed = "grant" | "deny" | "other state first" | "nothing" | "icon first";

const program = join(import.meta.dirname, "browser-program.cjs");

/**
 * A value of `BROWSER`: a program that does something on the pages of a sandbox, and the file with the address it ends
 * at.
 */
export function browser(user: { readonly login: string; readonly password: string }, deed: Deed = "grant") {
  const end = join(emptyFolder(), "end");
  const settings = Buffer.from(JSON.stringify({ ...user, deed, end })).toString("base64url");
  return { command: `${process.execPath} ${program} ${settings}`, end };
}
