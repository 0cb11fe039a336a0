import { open } from "node:fs/promises";

/** The image types that servers show, by the bytes that their files begin with. */
const types: readonly (readonly [type: string, matches: (bytes: Buffer) => boolean])[] = [
  ["image/png", (bytes) => bytes.subarray(0, 8).equals(Buffer.from("89504e470d0a1a0a", "hex"))],
  ["image/jpeg", (bytes) => bytes.subarray(0, 3).equals(Buffer.from("ffd8ff", "hex"))],
  ["image/gif", (bytes) => /^GIF8[79]a$/.test(bytes.toString("latin1", 0, 6))],
  ["image/webp", (bytes) => bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP"],
];

/** The MIME type of an image by its first bytes; undefined if it is none, or one of another type. */
export function imageType(bytes: Buffer): string | undefined {
  return types.find(([, matches]) => matches(bytes))?.[0];
}

/** The MIME type of an image in a file. Throws the error of the system if it cannot be read. */
export async function imageTypeOf(path: string): Promise<string | undefined> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(12), 0, 12, 0);
    return imageType(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}
