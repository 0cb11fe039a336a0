import { existsSync } from "node:fs";
import { defineCommand } from "../../app/define.ts";
import { any } from "../../command/args.ts";
import { choiceOr, text } from "../../command/flags.ts";
import { Failure } from "../../failure/failure.ts";
import { createEncodedOutput } from "../../metrics/encode/encoded-output.ts";
import { TextError } from "../../metrics/encode/pieces.ts";
import { readText } from "../../metrics/encode/read-text.ts";
import { defaultTypesDb, loadTypesDb } from "../../metrics/encode/types-db.ts";
import { inputNames, openInputs } from "../../metrics/inputs.ts";
import { refuseInput, refuseTerminal, withSink } from "../../metrics/outputs.ts";

export const encode = defineCommand({
  summary: "Encode readings from JSON or PUTVAL lines",
  details:
    "Reads the JSON that decode writes (one object per line, pretty-printed, or an array) and lines of collectd's plain " +
    "text protocol, also mixed. PUTVAL lines do not include the types of their values; these come from collectd's types.db.",
  on: "nothing",
  effect: "read",
  asTool: "write",
  args: { file: any("files with readings as text (default: stdin)", { dash: "stdin", names: "input file" }) },
  flags: {
    framing: choiceOr(["delimited", "raw", "grpc"], "delimited", "how to frame messages"),
    output: text("write to a file instead of stdout", { short: "o", names: "output file", placeholder: "FILE" }),
    types: text(`types.db for PUTVAL lines (default: ${defaultTypesDb})`, { names: "input file", placeholder: "FILE" }),
  },
  exits: { invalid: "bad input; the readings before it were written" },
  examples: [
    [
      "Extract one host",
      "tongs metrics decode all.bin --host edge-01.example.net | tongs metrics encode -o edge-01.bin",
    ],
    ["Encode collectd's plain text", "tongs metrics encode values.txt --types types.db -o values.bin"],
  ],
  async run({ system, args, flags }) {
    const { framing } = flags;
    refuseTerminal(system, flags.output);
    refuseInput(system, flags.output, [...inputNames(args.file), flags.types]);
    const hasTypes = flags.types !== undefined || existsSync(defaultTypesDb);
    const rules = { types: hasTypes ? loadTypesDb(system, flags.types) : undefined, now: () => system.now().getTime() };
    let failure: Failure | undefined;
    await withSink(system, flags.output, async (sink) => {
      const out = createEncodedOutput(sink, framing);
      const onIdle = () => {
        out.flush();
        system.signal.throwIfAborted();
        return sink.drained();
      };
      for (const input of openInputs(system, args.file)) {
        try {
          await readText(input.source, rules, { ...out, onIdle });
        } catch (error) {
          failure = damage(error, input.name);
          if (failure === undefined) throw error;
          break;
        } finally {
          try {
            await onIdle();
          } finally {
            input.close();
          }
        }
      }
      return failure === undefined || out.written() > 0;
    });
    if (failure !== undefined) throw failure;
  },
});

/** The failure for input that is damaged; undefined for any other error. */
function damage(error: unknown, name: string): Failure | undefined {
  if (error instanceof Failure) return error.code === "bad_data" ? error : undefined;
  if (!(error instanceof TextError)) return undefined;
  const { line, column } = error.position;
  const hint = error.message.includes("types.db") ? "Use --types FILE to read another types.db." : undefined;
  return new Failure("bad_text", `${name}:${line}:${column}: ${error.message}`, { hint });
}
