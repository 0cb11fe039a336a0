import { Readable, Writable } from "node:stream";
import type { Ending, ExitName } from "../failure/exit-codes.ts";
import { Failure } from "../failure/failure.ts";
import { addressText } from "../profiles/server.ts";
import { streamed } from "../system/output-stream.ts";
import { largestNamed, readStream } from "../system/read-limited.ts";
import type { System } from "../system/system.ts";
import { parseJson } from "../text/json.ts";
import type { BaseContext } from "./context.ts";
import { runPlan } from "./plan.ts";
import { selectRepositories } from "./select-repositories.ts";

/** A command that changes something in each of several repositories. */
interface InRepositories {
  /** Its name: `secret set`. */
  readonly words: readonly string[];
  /** The repositories: a pattern, or `-` for the lines of stdin. */
  readonly selection: string;
  /** Whether it destroys something. */
  readonly destroys: boolean;
  /** Whether it only shows what it would change. */
  readonly isPlan: boolean;
  /** Runs it in one of them, with `--yes` and without prompts. */
  readonly runIn: (repo: string, system: System) => Promise<Ending | undefined>;
}

/**
 * Runs a command once in each repository that is selected, after one question. Stdin is read once, and each gets all of it.
 * JSON output has the records of all.
 */
export async function inRepositories(
  { words, selection, destroys, isPlan, runIn }: InRepositories,
  context: BaseContext,
): Promise<ExitName | undefined> {
  const { options, out, system } = context;
  const connected = { ...context, ...(await context.connect()) };
  const selected = await selectRepositories([selection], connected);
  let input: Promise<Buffer> | undefined;
  async function* stdin() {
    input ??=
      selection === "-" ? Promise.resolve(Buffer.alloc(0)) : readStream(largestNamed, system.stdin, system.signal);
    yield await input;
  }
  const changes = selected.map(({ name }) => ({
    place: name,
    line: name,
    row: {},
    async make() {
      const pieces: Buffer[] = [];
      const collector = new Writable({
        write(piece: Buffer, _encoding, done) {
          pieces.push(piece);
          done();
        },
      });
      const own: System = Object.create(system, {
        stdin: { value: system.stdin.isTTY === true ? system.stdin : Readable.from(stdin()) },
        stdout: { value: out.records ? streamed(collector) : system.stdout },
      });
      const ended = await runIn(name, own);
      const printed = Buffer.concat(pieces).toString();
      const isDone = (ended ?? "ok") === "ok";
      return {
        record: printed === "" ? undefined : await parseJson(printed),
        isPart: ended === "partly",
        ...(isDone ? {} : { failure: new Failure("partly_done", `'${words.join(" ")}' did not do all`) }),
      };
    },
  }));
  const count = changes.length === 1 ? "1 repository" : `${changes.length} repositories`;
  const where = addressText(connected.server.base);
  return runPlan(
    changes,
    {
      asks: isPlan || options.dryRun ? undefined : `Run '${words.join(" ")}' in ${count} on ${where}`,
      // One by one, such a verb can ask for the name.
      typed: destroys ? selection : undefined,
      isPlan: false,
      nothing: "",
    },
    connected,
  );
}
