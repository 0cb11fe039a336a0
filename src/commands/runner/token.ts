import { defineCommand } from "../../app/define.ts";
import { levelExclusive, levelOf } from "../../app/shared.ts";
import { registrationToken } from "../../forge/runners.ts";
import { levelFlags } from "../run/level.ts";

/** `tongs runner token`: the token that a runner registers with, by POST or GET, whichever the server has. */
export const token = defineCommand({
  summary: "Print the token that a runner registers with",
  details: "Whoever has it can add a runner. Servers answer the same token until it is replaced on their page.",
  on: "server",
  effect: "write",
  flags: levelFlags,
  exclusive: levelExclusive,
  output: registrationToken,
  examples: [["For a runner of the whole server", "tongs runner token --admin"]],
  async run(context) {
    const { flags, forge, out } = context;
    const answer = await forge.runners.token(await levelOf(flags, context));
    if (out.records) await out.record(answer, () => ({ fields: [] }));
    else await out.text(`${answer.token}\n`);
  },
});
