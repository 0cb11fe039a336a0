import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { wholeNumber } from "../../command/flags.ts";
import { artifact } from "../../forge/artifacts.ts";
import { artifactSheet } from "./columns.ts";

/** `tongs artifact view`: GET one artifact. */
export const view = defineCommand({
  summary: "Show an artifact",
  on: "repository",
  effect: "read",
  args: { id: one("the artifact's id") },
  output: artifact,
  examples: [["Show number 14", "tongs artifact view 14"]],
  async run({ args, forge, out, repo }) {
    await out.record(await forge.artifacts.get(repo, wholeNumber(args.id, "ID", 1)), artifactSheet);
  },
});
