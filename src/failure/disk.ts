import { Failure } from "./failure.ts";

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "your share of the disk is used up",
  EACCES: "permission is denied",
  EPERM: "it is not permitted there",
  EROFS: "it can only be read",
  ENOTDIR: "a file stands where a folder is needed",
  EEXIST: "something of that name is there already",
  EISDIR: "a folder stands where a file is needed",
  ELOOP: "a link stands there, and is not followed",
  ENAMETOOLONG: "the name is too long",
  EXDEV: "it lies on another file system",
  ENOENT: "it is not there any more",
  EFBIG: "the file becomes too large",
  EIO: "the disk failed",
};

/**
 * What a file system refused, in words; undefined for any other error. `path` is named where the error does not say it.
 */
export function diskFailure(error: unknown, path?: string, hint?: string): Failure | undefined {
  if (!(error instanceof Error) || error instanceof Failure) return undefined;
  const { code = "", syscall, path: place = path } = error as NodeJS.ErrnoException;
  const reason = reasons[code];
  if (reason === undefined || syscall === undefined || sockets.test(syscall)) return undefined;
  const verb = syscall === "read" ? "read" : "write";
  const where = place === undefined ? "" : ` ${place}`;
  return new Failure("disk", "failure", `Cannot ${verb}${where}: ${reason} (${code})`, { hint, cause: error });
}

const sockets = /^(connect|listen|bind|accept|spawn|kill|getaddrinfo|shutdown)/;

/** Runs work that writes files; what the file system refuses becomes a failure in words, with the path. */
export async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw diskFailure(error) ?? error;
  }
}
