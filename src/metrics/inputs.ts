import { closeSync, createReadStream, openSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { Failure, UsageError } from "../failure/failure.ts";
import type { System } from "../system/system.ts";
import { fileSource, type Source, streamSource } from "./stream/source.ts";

/** One input of a command. */
export interface Input {
  /** The file as it was typed, or `standard input`. */
  readonly name: string;
  readonly source: Source;
  readonly close: () => void;
}

/** Opens what FILE arguments name, one after the other: files, pipes, and stdin for `-` or no argument at all. */
export function* openInputs(system: System, files: readonly string[]): Generator<Input> {
  if (files.length === 0 && system.stdin.isTTY === true) {
    throw new UsageError("Nothing to read", "Name a FILE, or pipe something in; '-' reads what you type.");
  }
  for (const file of files.length === 0 ? ["-"] : files)
    yield file === "-" ? openStdin(system) : openFile(system, file);
}

function openStdin({ stdin, signal }: System): Input {
  const close = () => {
    stdin.destroy();
  };
  return { name: "standard input", source: streamSource(stdin, signal), close };
}

function openFile(system: System, file: string): Input {
  const path = resolve(system.cwd, file);
  try {
    if (statSync(path).isFile()) {
      const fd = openSync(path, "r");
      return { name: file, source: fileSource(fd), close: () => closeSync(fd) };
    }
    if (statSync(path).isDirectory()) throw new UsageError(`${file} is a folder`);
  } catch (error) {
    throw unopened(error, file);
  }
  const stream = createReadStream(path);
  const close = () => {
    stream.destroy();
  };
  return { name: file, source: streamSource(stream, system.signal), close };
}

function unopened(error: unknown, file: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return new Failure("no-such-file", "notFound", `There is no file ${file}`);
  if (code === "EACCES") return new Failure("file-denied", "denied", `${file} may not be read`);
  return error;
}
