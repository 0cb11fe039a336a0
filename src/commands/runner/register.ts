import type { BaseContext, ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { printSecret, requireSecret } from "../../app/require-secret.ts";
import { levelExclusive, levelFlags, levelOf, levelWords, ownerName } from "../../app/shared.ts";
import { names, text, toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import type { Level } from "../../forge/level.ts";
import { call } from "../../forge/operation.ts";
import { type NewRunner, registration, registrationToken, runnerRegister, runnerToken } from "../../forge/runners.ts";
import { UnknownOperationError } from "../../http/errors.ts";
import { accountLabel, addressText, commandOn } from "../../profiles/server.ts";
import { joinWords } from "../../text/words.ts";

const printAgain = "The token exists; print it again with the same command.";

interface Wanted {
  readonly name: string;
  readonly label: readonly string[];
  readonly ephemeral: boolean;
  readonly description: string | undefined;
}

/** `tongs runner register`: POST a runner, or the registration token where runners register themselves. */
export const register = defineCommand({
  summary: "Register a runner",
  details:
    "Prints the file .runner, which the runner reads when it starts, or, on servers where a runner registers itself, the " +
    "command for that with the registration token. Both contain a secret: --json FIELDS must include token, " +
    "and a filter of --jq can lose it.",
  on: "server",
  fieldsOf: runnerRegister,
  effect: "write",
  asTool: "none",
  flags: {
    ...levelFlags,
    name: text("name of the runner", { short: "n", placeholder: "NAME" }),
    label: names("labels of the runner: docker or ubuntu-latest:docker://node:22", {
      short: "l",
      source: "runner label",
    }),
    ephemeral: toggle("the runner runs one job"),
    description: text("description of the runner", { short: "d" }),
  },
  exclusive: levelExclusive,
  output: registration,
  examples: [
    ["Register a runner of the current repository", "tongs runner register --name edge-01 --label docker > .runner"],
    ["Register a runner of the server that runs one job", "tongs runner register --admin --name once --ephemeral"],
  ],
  async run(context) {
    const { flags, http } = context;
    const { name, label, ephemeral, description } = flags;
    if (name === undefined || name.trim() === "") throw new UsageError("--name is required");
    requireSecret("token", context);
    const wanted = { name, label, ephemeral, description };
    const level = await levelOf(flags, context);
    const body = { name, description, ephemeral: ephemeral || undefined };
    const made = await call(http, runnerRegister, { level }, body).catch((error: unknown) => {
      if (!(error instanceof UnknownOperationError)) throw error;
      return undefined;
    });
    if (made === undefined) return printCommand(wanted, level, context);
    const line = joinWords(["tongs", "runner", "delete", `${made.id}`, ...levelWords(level)]);
    const hint = `The runner exists, but its token cannot be shown again; run: ${commandOn(context.server, line)}`;
    await printSecret(made, { what: "token", text: runnerFile(made, wanted, context), hint }, context);
    await context.out.done(`Registered runner ${name} of ${ownerName(level)} ${accountLabel(context.server)}`);
  },
});

async function printCommand(wanted: Wanted, level: Level, context: Context): Promise<void> {
  const answer = await runnerToken(context.http, level);
  const { name, label, ephemeral } = wanted;
  const words = ["act_runner", "register", "--no-interactive", "--instance", addressText(context.server.base)];
  words.push("--token", answer.token, "--name", name);
  if (label.length > 0) words.push("--labels", label.join(","));
  if (ephemeral) words.push("--ephemeral");
  await printSecret(answer, { what: "token", text: joinWords(words), hint: printAgain }, context);
  context.out.note("On this server, a runner registers itself: run the command where the runner is.");
}

type Context = Pick<BaseContext, "out" | "system"> & ServerContext;

/** The file of a runner, as act_runner and forgejo-runner write it. */
function runnerFile({ id, uuid, token }: NewRunner, { name, label, ephemeral }: Wanted, { server }: Context): string {
  const file = { id, uuid, name, token, address: addressText(server.base), labels: label, ephemeral };
  return JSON.stringify(file, undefined, 2);
}

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
    await printSecret(answer, { what: "token", text: answer.token, hint: printAgain }, context);
  },
});
