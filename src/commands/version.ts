import { defineCommand } from "../app/define.ts";
import { record, string } from "../shape/shape.ts";
import { version as current } from "../system/files.ts";

/** `tongs version`: prints the same as `tongs --version`. */
export const version = defineCommand({
  summary: "Show the version of tongs",
  details: "Prints the same as tongs --version.",
  on: "nothing",
  effect: "read",
  asTool: "none",
  output: record({ version: string }),
  examples: [
    ["Show the version", "tongs version"],
    ["Print only the number", "tongs version --jq .version"],
  ],
  async run({ out }) {
    if (out.records) await out.record({ version: current }, () => ({ fields: [] }));
    else await out.raw(`tongs ${current}\n`);
  },
});
