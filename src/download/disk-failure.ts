import { Failure } from "../command/failure.ts";

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "your share of the disk is used up",
  EACCES: "you may not write there",
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

/** Runs work that writes files; what the file system refuses becomes a failure in words, with the path. */
export async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code = "", path = "", syscall } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
    const reason = reasons[code];
    if (error instanceof Failure || reason === undefined || syscall === undefined) throw error;
    throw new Failure("disk", "failure", `Cannot write${path === "" ? "" : ` ${path}`}: ${reason} (${code})`, {
      cause: error,
    });
  }
}
