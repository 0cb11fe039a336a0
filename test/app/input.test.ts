import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import {
  readFileFlag,
  readFileFlagBytes,
  readIds,
  readPaths,
  readSecretFile,
  readStdin,
  readTargets,
} from "../../src/app/input.ts";
import { UsageError } from "../../src/failure/failure.ts";
import { emptyFolder, quietSignal } from "../support/tongs.ts";

const systemWith = (stdin: string | Buffer, cwd = emptyFolder()) => ({
  stdin: Readable.from([Buffer.from(stdin)]),
  cwd,
  signal: quietSignal(),
});

describe("a flag that names a file", () => {
  it("reads the file relative to the working directory", async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "body.md"), "a naïve body\n");
    expect(await readFileFlag("--body-file", "body.md", systemWith("", cwd))).toBe("a naïve body\n");
    expect(await readFileFlag("--body-file", join(cwd, "body.md"), systemWith(""))).toBe("a naïve body\n");
  });

  it("reads stdin for -, byte for byte", async () => {
    expect(await readFileFlag("--body-file", "-", systemWith("from stdin"))).toBe("from stdin");
    const bytes = Buffer.from([0xff, 0x00, 0xfe]);
    expect(await readFileFlagBytes("--input", "-", systemWith(bytes))).toEqual(bytes);
  });

  it("ends with the reason of the signal while stdin is open", async () => {
    const stop = new AbortController();
    const system = { ...systemWith(""), stdin: new PassThrough(), signal: stop.signal };
    const reading = readFileFlag("--body-file", "-", system);
    stop.abort(new Error("Interrupted"));
    await expect(reading).rejects.toThrow("Interrupted");
    await expect(readFileFlag("--body-file", "-", system)).rejects.toThrow("Interrupted");
  });

  it("and stdin are read without a byte order mark, but for bytes", async () => {
    const marked = () => systemWith("\ufeff12\n");
    expect(await readFileFlag("--body-file", "-", marked())).toBe("12\n");
    expect(await readStdin(marked())).toBe("12\n");
    expect(await readTargets(["-"], marked())).toEqual(["12"]);
    expect(await readSecretFile("--password-file", "-", marked())).toBe("12");
    expect(await readFileFlagBytes("FILE", "-", marked())).toHaveLength(6);
  });

  it("refuses text that is not UTF-8, which would be sent with other characters", async () => {
    const cwd = emptyFolder();
    const latin1 = Buffer.from("déjà vu", "latin1");
    writeFileSync(join(cwd, "body.md"), latin1);
    const system = () => ({ ...systemWith("", cwd), stdin: Readable.from([latin1]) });
    const read = (file: string) => readFileFlag("--body-file", file, system());
    await expect(read("body.md")).rejects.toThrow(UsageError);
    await expect(read("body.md")).rejects.toThrow(/^--body-file: body\.md is not UTF-8 text$/);
    await expect(read("-")).rejects.toThrow(/^--body-file: standard input is not UTF-8 text$/);
    await expect(readStdin(system())).rejects.toThrow(/^Standard input is not UTF-8 text$/);
  });

  it("fails with a usage error that names the flag, the file and the reason", async () => {
    const cwd = emptyFolder();
    mkdirSync(join(cwd, "folder"));
    const read = (file: string) => readFileFlag("--body-file", file, systemWith("", cwd));
    await expect(read("nope.md")).rejects.toThrow(UsageError);
    await expect(read("nope.md")).rejects.toThrow(
      /^--body-file: could not read nope\.md: no such file or directory \(ENOENT\)$/,
    );
    await expect(read("folder")).rejects.toThrow(/^--body-file: could not read folder: is a directory \(EISDIR\)$/);
  });
});

describe("targets on stdin", () => {
  it("begin with # if no space follows", async () => {
    const stdin = "# the runs\n  # of last week\n#12\n  #beta  \r\n\n \nlatest";
    expect(await readTargets(["-"], systemWith(stdin))).toEqual(["#12", "#beta", "latest"]);
  });

  it("are paths to the end of the line, spaces included", async () => {
    const stdin = "# the drafts\n#draft.md\n notes.md \r\n\nREADME.md";
    expect(await readPaths(["a", "-"], systemWith(stdin))).toEqual(["a", "#draft.md", " notes.md ", "README.md"]);
  });
});

describe("ids", () => {
  it("are read from the arguments and from stdin, each once", async () => {
    expect(await readIds(["3", "-", "4"], systemWith("4\n# five\n\n5\n"))).toEqual([3, 4, 5]);
  });

  it.each(["0", "-1", "x", "1.5"])("are whole numbers from 1: %s is not", async (id) => {
    await expect(readIds([id], systemWith(""))).rejects.toThrow(UsageError);
  });
});

it("targets on stdin can be very many", async () => {
  const typed = Array.from({ length: 300_000 }, (_, at) => at + 1);
  expect(await readIds(["-"], systemWith(typed.join("\n")))).toHaveLength(typed.length);
});
