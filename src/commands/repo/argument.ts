import type { Arg } from "../../command/args.ts";

const description = "OWNER/NAME, HOST/OWNER/NAME or a URL";

/** An argument that names a repository; it becomes the repository in force. */
export const requiredRepo: Arg<string> = {
  count: "one",
  description,
  read: (typed) => typed[0] ?? "",
  locate: (typed) => typed[0],
};

/** The same where it may be left out. */
export const repoArgument: Arg<string | undefined> = {
  count: "optional",
  description: `${description}; left out, the one in force here`,
  read: (typed) => typed[0],
  locate: (typed) => typed[0],
};
