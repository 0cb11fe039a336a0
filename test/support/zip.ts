import { crc32, deflateRawSync } from "node:zlib";

/** An entry of an archive; the default values are valid. */
export interface ZipEntry {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  readonly stored?: boolean;
  /** Unix mode with type bits; marks the entry as made on Unix. */
  readonly mode?: number;
  readonly utf8?: boolean;
  readonly descriptor?: boolean;
  readonly zip64?: boolean;
  readonly extra?: Buffer;
  readonly flags?: number;
  readonly method?: number;
  readonly crc?: number;
  readonly size?: number;
  readonly localName?: string;
  /** Both sizes in the local header, where they are not the directory's. */
  readonly localSize?: number;
  /** Points at the bytes of the entry with this index. */
  readonly at?: number;
}

/** Creates a zip archive in memory. */
export function zip(entries: readonly ZipEntry[], options: { comment?: string; zip64?: boolean; count?: number } = {}) {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  const offsets: number[] = [];
  let length = 0;
  const add = (bytes: Buffer) => {
    parts.push(bytes);
    length += bytes.length;
  };
  for (const entry of entries) {
    const name = Buffer.from(entry.name as string);
    const content = Buffer.from((entry.content ?? "") as string);
    const packed = entry.stored ? content : deflateRawSync(content);
    const crc = entry.crc ?? crc32(content);
    const size = entry.size ?? content.length;
    const method = entry.method ?? (entry.stored ? 0 : 8);
    const flags = (entry.flags ?? 0) | (entry.utf8 ? 0x800 : 0) | (entry.descriptor ? 8 : 0);
    const offset = entry.at === undefined ? length : (offsets[entry.at] ?? 0);
    offsets.push(offset);
    if (entry.at === undefined) {
      const localName = Buffer.from(entry.localName ?? name);
      const local = Buffer.alloc(30);
      local.writeUInt32LE(0x04034b50, 0);
      local.writeUInt16LE(20, 4);
      local.writeUInt16LE(flags, 6);
      local.writeUInt16LE(method, 8);
      if (!entry.descriptor) {
        local.writeUInt32LE(crc, 14);
        local.writeUInt32LE(entry.localSize ?? packed.length, 18);
        local.writeUInt32LE(entry.localSize ?? size, 22);
      }
      local.writeUInt16LE(localName.length, 26);
      local.writeUInt16LE(entry.extra?.length ?? 0, 28);
      add(Buffer.concat([local, localName, entry.extra ?? Buffer.alloc(0), packed]));
      if (entry.descriptor) {
        const descriptor = Buffer.alloc(16);
        descriptor.writeUInt32LE(0x08074b50, 0);
        descriptor.writeUInt32LE(crc, 4);
        descriptor.writeUInt32LE(packed.length, 8);
        descriptor.writeUInt32LE(size, 12);
        add(descriptor);
      }
    }
    const long = Buffer.alloc(28);
    long.writeUInt16LE(1, 0);
    long.writeUInt16LE(24, 2);
    long.writeBigUInt64LE(BigInt(size), 4);
    long.writeBigUInt64LE(BigInt(packed.length), 12);
    long.writeBigUInt64LE(BigInt(offset), 20);
    const extra = Buffer.concat([...(entry.zip64 ? [long] : []), entry.extra ?? Buffer.alloc(0)]);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE((entry.mode === undefined ? 0 : 3) * 256 + 45, 4);
    central.writeUInt16LE(45, 6);
    central.writeUInt16LE(flags, 8);
    central.writeUInt16LE(method, 10);
    central.writeUInt32LE(crc, 16);
    central.writeUInt32LE(entry.zip64 ? 0xffffffff : packed.length, 20);
    central.writeUInt32LE(entry.zip64 ? 0xffffffff : size, 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt16LE(extra.length, 30);
    central.writeUInt32LE(((entry.mode ?? 0) << 16) >>> 0, 38);
    central.writeUInt32LE(entry.zip64 ? 0xffffffff : offset, 42);
    directory.push(Buffer.concat([central, name, extra]));
  }
  const start = length;
  for (const one of directory) add(one);
  const size = length - start;
  const count = options.count ?? entries.length;
  if (options.zip64) {
    const record = Buffer.alloc(56);
    record.writeUInt32LE(0x06064b50, 0);
    record.writeBigUInt64LE(44n, 4);
    record.writeBigUInt64LE(BigInt(count), 24);
    record.writeBigUInt64LE(BigInt(count), 32);
    record.writeBigUInt64LE(BigInt(size), 40);
    record.writeBigUInt64LE(BigInt(start), 48);
    const locator = Buffer.alloc(20);
    locator.writeUInt32LE(0x07064b50, 0);
    locator.writeBigUInt64LE(BigInt(length), 8);
    locator.writeUInt32LE(1, 16);
    add(record);
    add(locator);
  }
  const comment = Buffer.from(options.comment ?? "");
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(options.zip64 ? 0xffff : count, 8);
  end.writeUInt16LE(options.zip64 ? 0xffff : count, 10);
  end.writeUInt32LE(options.zip64 ? 0xffffffff : size, 12);
  end.writeUInt32LE(options.zip64 ? 0xffffffff : start, 16);
  end.writeUInt16LE(comment.length, 20);
  add(Buffer.concat([end, comment]));
  return Buffer.concat(parts);
}
