import { isUtf8 } from "node:buffer";
import { crc32 } from "node:zlib";

/** Code page 437 from 0x80 on, the character set of names that do not say they are UTF-8 (APPNOTE D.1). */
const upperHalf =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";

/** What the directory says of a name's encoding. */
export interface NameFacts {
  /** Bit 11 of the flags. */
  readonly utf8: boolean;
  /** Whether a Unix made the archive: its tools write the file's own bytes, UTF-8 nearly always. */
  readonly unix: boolean;
  /** The Unicode path extra field (0x7075), if there is one. */
  readonly unicodePath: Buffer | undefined;
}

/** Decodes the name of an entry: flagged UTF-8, the Unicode path field while it fits, UTF-8 of a Unix, code page 437. */
export function entryName(raw: Buffer, { utf8, unix, unicodePath }: NameFacts): string {
  if (utf8) return raw.toString("utf8");
  if (unicodePath !== undefined && unicodePath.length > 5 && unicodePath[0] === 1) {
    // The field holds the checksum of the name that it belongs to: a renamed entry leaves it behind.
    if (unicodePath.readUInt32LE(1) === crc32(raw)) return unicodePath.toString("utf8", 5);
  }
  if (unix && isUtf8(raw)) return raw.toString("utf8");
  let name = "";
  for (const byte of raw) name += byte < 0x80 ? String.fromCharCode(byte) : upperHalf[byte - 0x80];
  return name;
}
