import { UsageError } from "../failure/failure.ts";
import { type InputSystem, readFileFlagBytes } from "./input.ts";

/** The image formats of avatars, by the bytes that their files begin with. */
const formats: readonly ((bytes: Buffer) => boolean)[] = [
  // PNG
  (bytes) => bytes.subarray(0, 8).equals(Buffer.from("89504e470d0a1a0a", "hex")),
  // JPEG
  (bytes) => bytes.subarray(0, 3).equals(Buffer.from("ffd8ff", "hex")),
  // GIF
  (bytes) => /^GIF8[79]a$/.test(bytes.toString("latin1", 0, 6)),
  // WebP
  (bytes) => bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP",
];

/**
 * The image for an avatar in base64, from a file, or from stdin for `-`. Throws a usage error if it is not a PNG, JPEG,
 * GIF or WebP image by its first bytes: servers answer such a file with 500 (docs/server-differences.md, "Keys and
 * applications").
 */
export async function readAvatar(typed: string, system: InputSystem): Promise<string> {
  const bytes = await readFileFlagBytes("FILE", typed, system);
  const name = typed === "-" ? "stdin" : typed;
  if (bytes.length === 0) throw new UsageError(`${name} is empty`);
  if (!formats.some((matches) => matches(bytes))) {
    throw new UsageError(`${name} is not an image that servers accept`, "Pass a PNG, JPEG, GIF or WebP image.");
  }
  return bytes.toString("base64");
}
