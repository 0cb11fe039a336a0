import type { BaseContext } from "../../app/context.ts";
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
    const answer = await runnerToken(context.http, await levelOf(context.flags, context));
    await printToken(answer, answer.token, "The token exists; print it again with the same command.", context);
  },
});

/** Prints a token that cannot be shown again, or what has it; `hint` says what to do if it could not be printed. */
export function printToken(
  record: object,
  text: string,
  hint: string,
  { out, system }: Pick<BaseContext, "out" | "system">,
): Promise<void> {
  const show = () => (out.records ? out.record(record, () => ({ fields: [] })) : out.raw(`${text}\n`));
  return showOnce(system.stdout, show, (reason) => {
    return new Failure("output_lost", `The token could not be printed: ${reason}`, { hint });
  });
}
