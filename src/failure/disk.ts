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

/**
 * The failure for a file system error; undefined for any other error. `path` is used if the error has none.
 */
export function diskFailure(error: unknown, path?: string, hint?: string): Failure | undefined {
  if (!(error instanceof Error) || error instanceof Failure) return undefined;
  const { code = "", syscall, path: file = path } = error as NodeJS.ErrnoException;
  if (syscall === "uv_cwd") {
    const hint = "Change to another directory: cd DIR";
    return new Failure("no_current_directory", "failure", "The current directory no longer exists", {
      hint,
      cause: error,
    });
  }
  const reason = reasons[code];
  if (reason === undefined || syscall === undefined || sockets.test(syscall)) return undefined;
  const verb = syscall === "read" ? "read" : "write";
  const where = file === undefined ? "" : ` ${file}`;
  return new Failure("disk", "failure", `Cannot ${verb}${where}: ${reason} (${code})`, { hint, cause: error });
}

/** The same for a file that was to be read, where the error may not say so. */
export function readFailure(error: unknown, path: string): Failure | undefined {
  const failure = diskFailure(error, path);
  if (failure === undefined) return undefined;
  const { code, exit, message } = failure;
  return new Failure(code, exit, message.replace(/^Cannot write/, "Cannot read"), { cause: error });
}

const sockets = /^(connect|listen|bind|accept|spawn|kill|getaddrinfo|shutdown)/;

/** Runs work that writes files; turns file system errors into a `Failure` with the path. */
export async function reportDiskErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw diskFailure(error) ?? error;
  }
}
