import { Failure } from "./failure.ts";

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: "no space left on device",
  EDQUOT: "disk quota exceeded",
  EACCES: "permission denied",
  EPERM: "operation not permitted",
  EROFS: "read-only file system",
  ENOTDIR: "not a directory",
  EEXIST: "file exists",
  EISDIR: "is a directory",
  ELOOP: "symbolic link not followed",
  ENAMETOOLONG: "file name too long",
  EXDEV: "on another file system",
  ENOENT: "no such file or directory",
  EFBIG: "file too large",
  EIO: "input/output error",
};

/** Whether an error of the system has one of these codes: `ENOENT`. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.some((code) => code === error.code);
}

/** Why the system refused something: `no space left on device (ENOSPC)`; for other errors their message. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = "" }: NodeJS.ErrnoException = error;
  // Node's message is "ENOENT: no such file or directory, open '/path'".
  const reason = reasons[code] ?? /^[A-Z0-9]+: (.*?), [a-z]+( '.*')?$/s.exec(error.message)?.[1];
  return reason === undefined ? error.message : `${reason} (${code})`;
}

/**
 * The failure for a file system error; undefined for any other error. `path` is used if the error has none. `tried`: what
 * was tried, where the error does not tell; opening a file can be either. Default: write.
 */
export function diskFailure(
  error: unknown,
  path?: string,
  { hint, tried = "write" }: { readonly hint?: string; readonly tried?: "read" | "write" } = {},
): Failure | undefined {
  if (!(error instanceof Error) || error instanceof Failure) return undefined;
  const { code = "", syscall, path: file = path } = error as NodeJS.ErrnoException;
  if (syscall === "uv_cwd") {
    return new Failure("no_current_directory", "The current directory no longer exists", {
      hint: "Change to another directory: cd DIR",
      cause: error,
    });
  }
  if (reasons[code] === undefined || syscall === undefined || sockets.test(syscall)) return undefined;
  const verb = syscall === "read" ? "read" : tried;
  const where = file === undefined ? "" : ` ${file}`;
  return new Failure("disk", `Cannot ${verb}${where}: ${reasonOf(error)}`, { hint, cause: error });
}

const sockets = /^(connect|listen|bind|accept|spawn|kill|getaddrinfo|shutdown)/;

/** Runs work that writes files; turns file system errors into a `Failure` with the path: `path` if the error has none. */
export async function reportDiskErrors<T>(work: () => Promise<T>, path?: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw diskFailure(error, path) ?? error;
  }
}
