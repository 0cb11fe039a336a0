import { Failure } from "../failure/failure.ts";
import type { Output } from "../output/output.ts";
import type { System } from "../system/system.ts";
import type { Framing } from "./framing/framing.ts";
import { openInputs } from "./inputs.ts";
import type { TakeMessage } from "./stream/messages.ts";
import { type ReadResult, readMessages } from "./stream/read-messages.ts";
import { faultText, type StreamFault } from "./stream/stream-fault.ts";

/** What a command does with its inputs. */
export interface InputsOptions {
  readonly framing: Framing | "auto";
  readonly skipErrors: boolean;
  readonly take: TakeMessage;
  readonly prepare: () => Promise<void>;
  readonly pause?: () => Promise<void> | undefined;
}

// More lines about the same trouble help nobody; the rest is counted.
const mostWarnings = 10;

/**
 * Reads the readings of all FILEs. After damage it goes on with the next file, and behind a bad message with
 * `skipErrors`. Returns how many messages were skipped and the failure to end with, if any input was damaged: the
 * caller finishes its output first, then throws it.
 */
export async function readInputs(
  { system, out }: { readonly system: System; readonly out: Output },
  files: readonly string[],
  options: InputsOptions,
): Promise<{ readonly skipped: number; readonly failure?: Failure }> {
  const failures: Failure[] = [];
  let skipped = 0;
  for (const input of openInputs(system, files)) {
    const skip = (fault: StreamFault) => {
      if (!options.skipErrors) return false;
      skipped += 1;
      if (skipped <= mostWarnings) out.warn(`${input.name}: skipped ${faultText(fault)}`);
      return true;
    };
    try {
      const { take, prepare, framing, pause = () => undefined } = options;
      const check = () => system.signal.throwIfAborted();
      const result = await readMessages(input.source, { framing, take, prepare, pause, skip, check });
      if (result.fault !== undefined) failures.push(damage(input.name, result, result.fault, framing === "auto"));
      if (result.enough) break;
    } finally {
      input.close();
    }
  }
  if (skipped > 0) out.warn(`Skipped ${skipped} bad ${skipped === 1 ? "message" : "messages"}`);
  const last = failures.pop();
  for (const failure of failures) out.warn(failure.message);
  return { skipped, ...(last === undefined ? {} : { failure: last }) };
}

function damage(name: string, { readings, layout }: ReadResult, fault: StreamFault, guessed: boolean): Failure {
  const said = readings === 0 ? "" : ` (${readings} ${readings === 1 ? "reading" : "readings"} before it)`;
  const framing = guessed ? [`The framing was taken to be ${layout.framing}; --framing says otherwise.`] : [];
  const further = fault.kind === "bad-message" && layout.framing !== "raw" ? ["--skip-errors goes on behind it."] : [];
  const lenient = fault.what.includes("UTF-8") ? ["--lenient shows the bytes."] : [];
  return new Failure("bad-data", "invalid", `${name}: ${faultText(fault)}${said}`, {
    hint: [...lenient, ...further, ...framing].join(" ") || undefined,
  });
}
