import { Failure } from "../../failure/failure.ts";

/** What a file is instead of readings, and what reads it. */
interface Foreign {
  readonly what: string;
  readonly hint: string;
}

const engine = "Use duckdb -c \"FROM 'FILE'\" to read it.";
const unpack = (command: string) => `Use ${command} FILE | tongs metrics decode.`;

// By their first four bytes in hex, with which no readings start.
const magics: Readonly<Record<string, Foreign>> = {
  "504b0304": { what: "a zip file", hint: unpack("unzip -p") },
  fd377a58: { what: "an xz file", hint: unpack("xz -dc") },
  "425a6839": { what: "a bzip2 file", hint: unpack("bzip2 -dc") },
  "04224d18": { what: "an lz4 file", hint: unpack("lz4 -dc") },
  "52524400": { what: "an RRD", hint: "Use tongs metrics import --rrd DIR -o FILE." },
  "0a0d0d0a": { what: "a pcapng file", hint: "Use tcpdump -r FILE -w NEW, and decode NEW." },
  "54495833": { what: "the index of a recording", hint: "Leave it out: it is read with the recording." },
  "50415231": { what: "a Parquet file", hint: "Pass its name, without --framing: it cannot be read from a pipe." },
};

const encode = "Use tongs metrics encode FILE -o NEW to encode it.";

// By its beginning. What fits none of these is plain text.
const texts: readonly (readonly [RegExp, Foreign])[] = [
  [/^\s*[{[]/, { what: "JSON", hint: encode }],
  [/^\s*PUTVAL\s/i, { what: "text of collectd's PUTVAL lines", hint: encode }],
  [/^[^\n,]*(,[^\n,]*){2}/, { what: "a CSV file", hint: engine }],
  [
    /^/,
    { what: "text", hint: "Only encoded readings can be read, and JSON or PUTVAL lines with tongs metrics encode." },
  ],
];

/** How many first bytes `foreign` needs to tell text from readings. */
export const foreignHead = 512;

/** The failure for an input that starts like another format, by its first four bytes. */
export function foreign(name: string, head: Uint8Array): Failure | undefined {
  return failureOf(name, magics[Buffer.from(head.subarray(0, 4)).toString("hex")]);
}

/** The failure for an input that has no readings and is text, by its first `foreignHead` bytes. */
export function foreignText(name: string, head: Uint8Array): Failure | undefined {
  // Shorter bytes without control characters may be damage.
  if (head.length < 8 || head.some((byte) => byte === 0x7f || (byte < 0x20 && ![0x09, 0x0a, 0x0d].includes(byte))))
    return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return failureOf(name, texts.find(([start]) => start.test(text))?.[1]);
  } catch {
    return undefined;
  }
}

function failureOf(name: string, found: Foreign | undefined): Failure | undefined {
  if (found === undefined) return undefined;
  return new Failure("bad_data", `${name}: This is ${found.what}, not readings`, { hint: found.hint });
}
