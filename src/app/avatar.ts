import { UsageError } from "../failure/failure.ts";
import { imageType } from "./image-type.ts";
import { type InputSystem, readFileFlagBytes } from "./input.ts";

/**
 * The image for an avatar in base64, from a file, or from stdin for `-`. Throws a usage error if it is not a PNG, JPEG,
 * GIF or WebP image by its first bytes: servers answer such a file with 500 (docs/server-differences.md, "Keys and
 * applications").
 */
export async function readAvatar(typed: string, system: InputSystem): Promise<string> {
  const bytes = await readFileFlagBytes("FILE", typed, system);
  const name = typed === "-" ? "stdin" : typed;
  if (bytes.length === 0) throw new UsageError(`${name} is empty`);
  if (imageType(bytes) === undefined) {
    throw new UsageError(`${name} is not an image that servers accept`, "Pass a PNG, JPEG, GIF or WebP image.");
  }
  return bytes.toString("base64");
}
