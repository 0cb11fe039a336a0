import { defineCommand } from "../../app/define.ts";
import { levelExclusive, levelFlags, levelOf } from "../../app/level.ts";
import { registrationToken } from "../../forge/runners.ts";

/** `tongs runner token`: the registration token, by POST or GET, depending on the server. */
export const token = defineCommand({
  summary: "Print a registration token for runners",
  details:
    "Anyone with this token can register a runner. The server returns the same token until it is reset on the web page.",
  on: "server",
  effect: "write",
  flags: levelFlags,
  exclusive: levelExclusive,
  output: registrationToken,
  examples: [["Print a token for runners of the whole server", "tongs runner token --admin"]],
  async run(context) {
    const { flags, forge, out } = context;
    const answer = await forge.runners.token(await levelOf(flags, context));
    if (out.records) await out.record(answer, () => ({ fields: [] }));
    else await out.text(`${answer.token}\n`);
  },
});
