import { displayName } from "../../archive/archive-failure.ts";
import { Failure } from "../../failure/failure.ts";
import type { Content } from "../../forge/contents.ts";

/** What is at a path, if it is not a file: a folder, a symbolic link or a submodule. Links are not followed. */
export function notAFile({
  path,
  type,
  target,
  submodule_git_url: submodule,
}: Pick<Content, "path" | "type" | "target"> & { readonly submodule_git_url?: string | null | undefined }): Failure {
  const name = displayName(path);
  if (type === "dir") {
    return new Failure("not_a_file", `${name} is a directory`, { hint: `List it: tongs file list ${name}` });
  }
  if (type === "symlink") {
    const to = target ? ` to ${displayName(target)}` : "";
    return new Failure("not_a_file", `${name} is a symbolic link${to}, which is not followed`);
  }
  if (type === "submodule") {
    const of = submodule ? ` of ${displayName(submodule)}` : "";
    return new Failure("not_a_file", `${name} is a submodule${of}`, {
      hint: "Clone the repository of the submodule to get its files.",
    });
  }
  return new Failure("not_a_file", `${name} is not a file, but ${displayName(type)}`);
}
