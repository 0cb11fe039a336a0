/** One entry of a zip archive, as its central directory has it. */
export interface Entry {
  /** As stored, decoded; folders end in a slash. Not yet safe to be used as a path. */
  readonly name: string;
  /** The stored bytes of the name, to compare with those beside the content. */
  readonly rawName: Buffer;
  readonly kind: "file" | "folder" | "link" | "special";
  readonly executable: boolean;
  readonly encrypted: boolean;
  /** 0 stored, 8 deflated. */
  readonly method: number;
  readonly crc: number;
  /** Bytes in the archive. */
  readonly packed: number;
  /** Bytes unpacked. */
  readonly size: number;
  /** Where the entry begins in the archive. */
  readonly offset: number;
}
