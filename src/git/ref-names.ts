import { Failure } from "../command/failure.ts";

/**
 * Whether git takes this as the name of a branch (git check-ref-format). Names come from a server, and end up in
 * refspecs and arguments: what could be read as an option or as two refs is none.
 */
export function isBranchName(name: string): boolean {
  const forbidden = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|^[-/]|\/$|\.$|^@$/;
  return name !== "" && !forbidden.test(name) && name.split("/").every((part) => !/^\.|\.lock$/.test(part));
}

/** The name of a branch as a server gave it, or a failure: git would take it for something else. */
export function branchName(name: string): string {
  if (isBranchName(name)) return name;
  throw new Failure("broken_answer", "failure", `The server names a branch '${name}', which git cannot have`);
}
