import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { any } from "../../command/args.ts";
import { defineCommand } from "../../command/define.ts";
import { Failure } from "../../command/failure.ts";
import { choiceOr, text } from "../../command/flags.ts";
import { UsageError } from "../../command/usage-error.ts";
import type { System } from "../../context.ts";
import { readText, TextError } from "../../metrics/encode/read-text.ts";
import { defaultTypesDb, parseTypesDb, type TypesDb } from "../../metrics/encode/types-db.ts";
import { frameHead } from "../../metrics/framing/framing.ts";
import { openInputs } from "../../metrics/inputs.ts";
import { withSink } from "../../metrics/outputs.ts";
import { encodeReading } from "../../metrics/reading/codec.ts";

export const encode = defineCommand({
  summary: "Encode readings from JSON or PUTVAL lines",
  details:
    "Takes the JSON that decode writes (one object a line, pretty-printed, or an array) and lines of collectd's plain " +
    "text protocol, also mixed. PUTVAL lines do not say the kinds of their values; those come from collectd's types.db.",
  on: "nothing",
  effect: "read",
  args: { file: any("files of readings as text; none or - is stdin") },
  flags: {
    framing: choiceOr(["delimited", "raw", "grpc"], "delimited", "how messages are put one after the other"),
    output: text("write to this file", { short: "o", placeholder: "FILE" }),
    types: text(`types.db for PUTVAL lines (${defaultTypesDb})`, { placeholder: "FILE" }),
  },
  exits: { invalid: "a text is no reading; what came before it was written" },
  examples: [
    ["Take out one host", "tongs metrics decode all.bin --host edge-01 | tongs metrics encode -o edge-01.bin"],
    ["From collectd's plain text", "tongs metrics encode values.txt --types types.db -o values.bin"],
  ],
  async run({ system, args, flags }) {
    const { framing } = flags;
    if (flags.output === undefined && system.stdout.isTTY === true) {
      throw new UsageError("Encoded readings are not for a terminal", "Name a file with -o FILE, or pipe them on.");
    }
    const rules = { types: loadTypes(system, flags.types), now: () => system.now().getTime() };
    let written = 0;
    await withSink(system, flags.output, async (sink) => {
      let gathered: Uint8Array[] = [];
      const onIdle = () => {
        if (gathered.length > 0) sink.write(Buffer.concat(gathered));
        gathered = [];
        system.signal.throwIfAborted();
        return sink.drained();
      };
      for (const input of openInputs(system, args.file)) {
        try {
          const onReading = (reading: Parameters<typeof encodeReading>[0]) => {
            if (framing === "raw" && written > 0) {
              throw new Failure(
                "two-raw",
                "invalid",
                "There is more than one reading, and raw framing holds only one",
                {
                  hint: "Two raw messages in one file read as one merged reading. Use --framing delimited.",
                },
              );
            }
            const message = encodeReading(reading);
            gathered.push(frameHead(framing, message.length), message);
            written += 1;
          };
          await readText(input.source, rules, onReading, onIdle);
        } catch (error) {
          if (!(error instanceof TextError)) throw error;
          const { line, column } = error.position;
          const message = `${input.name}:${line}:${column}: ${error.message}`;
          const hint = error.message.includes("types.db")
            ? "Name the types.db that has it with --types FILE."
            : undefined;
          throw new Failure("bad-text", "invalid", message, { hint });
        } finally {
          await onIdle();
          input.close();
        }
      }
    });
  },
});

function loadTypes({ cwd }: System, file: string | undefined): TypesDb {
  try {
    return parseTypesDb(readFileSync(resolve(cwd, file ?? defaultTypesDb), "utf8"));
  } catch (error) {
    if (file === undefined) return new Map();
    throw new Failure("no-types", "notFound", `${file} cannot be read: ${(error as Error).message}`);
  }
}
