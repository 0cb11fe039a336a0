import { UsageError } from "../failure/failure.ts";
import { type InputSystem, readFileFlag } from "./input.ts";

/**
 * The public SSH key in a file, or on stdin for `-`, with its title: the given one, or else its comment. Throws a usage
 * error for a private key, and if there is no title.
 */
export async function readPublicKey(
  source: { readonly flag: string; readonly file: string; readonly title: string | undefined },
  system: InputSystem,
): Promise<{ readonly title: string; readonly key: string }> {
  const key = (await readFileFlag(source.flag, source.file, system)).trim();
  if (/PRIVATE KEY/.test(key)) {
    throw new UsageError(
      "This is a private key; it was not sent",
      "Pass the public key, which is usually in the file ending in .pub.",
    );
  }
  const title = source.title ?? key.split(/\s+/).slice(2).join(" ");
  if (title === "") throw new UsageError("--title is required: the key has no comment");
  return { title, key };
}
