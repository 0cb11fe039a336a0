import { defineCommand } from "../../app/define.ts";
import { levelExclusive, levelFlags, levelOf } from "../../app/shared.ts";
import { Failure } from "../../failure/failure.ts";
import { registrationToken, runnerToken } from "../../forge/runners.ts";
import { showOnce } from "../../output/show-once.ts";

/** `tongs runner token`: the registration token, by POST or GET, depending on the server. */
export const token = defineCommand({
  summary: "Print a registration token for runners",
  details:
    "Anyone with this token can register a runner. The server returns the same token until it is reset on the web page.",
  on: "server",
  effect: "write",
  asTool: "none",
  flags: levelFlags,
  exclusive: levelExclusive,
  output: registrationToken,
  examples: [["Print a token for runners of the whole server", "tongs runner token --admin"]],
  async run(context) {
    const { flags, http, out, system } = context;
    const answer = await runnerToken(http, await levelOf(flags, context));
    const show = () => (out.records ? out.record(answer, () => ({ fields: [] })) : out.raw(`${answer.token}\n`));
    await showOnce(system.stdout, show, (reason) => {
      const hint = "The token exists; print it again with the same command.";
      return new Failure("output_lost", `The token could not be printed: ${reason}`, { hint });
    });
  },
});
