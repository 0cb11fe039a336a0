import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { defineCommand } from "../../app/define.ts";
import { text } from "../../command/flags.ts";
import { hasCode } from "../../failure/disk.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { createEncodedOutput } from "../../metrics/encode/encoded-output.ts";
import { identifierOf } from "../../metrics/encode/from-putval.ts";
import { readingsFromRrd } from "../../metrics/encode/from-rrd.ts";
import { refuseTerminal, withSink } from "../../metrics/outputs.ts";
import { fullPath } from "../../system/files.ts";
import { startable } from "../../system/program.ts";
import type { System } from "../../system/system.ts";

export const importReadings = defineCommand({
  summary: "Import readings from the RRD files of collectd",
  details:
    "Reads the files below the DataDir of collectd's rrdtool and rrdcached plugins, HOST/PLUGIN-INSTANCE/TYPE-INSTANCE.rrd, " +
    "with rrdtool dump, and writes encoded readings as decode reads them. They are the averages of the finest archive, " +
    "and of coarser ones for older times. RRDtool stores counters as rates per second, so that all values are gauges.",
  on: "nothing",
  effect: "read",
  asTool: "write",
  flags: {
    rrd: text("directory of RRD files: DataDir in collectd.conf", { names: "input file", placeholder: "DIR" }),
    output: text("write to a file instead of stdout", { short: "o", names: "output file", placeholder: "FILE" }),
  },
  exits: { partly: "some files could not be read", notFound: "no RRD files" },
  examples: [["Import what collectd stored", "tongs metrics import --rrd /var/lib/collectd/rrd -o readings.bin"]],
  async run({ system, out, flags }) {
    if (flags.rrd === undefined) throw new UsageError("--rrd DIR is required");
    refuseTerminal(system, flags.output);
    const folder = fullPath(flags.rrd, system);
    const files = rrdFiles(folder, flags.rrd);
    let [readings, failed] = [0, 0];
    await withSink(system, flags.output, async (sink) => {
      const encoded = createEncodedOutput(sink, "delimited");
      for (const file of files) {
        const found = await importFile(join(folder, file), file).catch((error: unknown) => {
          if (!(error instanceof Failure && error.code === "bad_data")) throw error;
          out.warn(error.message);
          failed += 1;
          return [];
        });
        found.forEach(encoded.onReading);
        readings += found.length;
        encoded.flush();
        await sink.drained();
      }
      return readings > 0 || failed === 0;
    });
    out.note(`Imported ${readings} readings from ${files.length - failed} of ${files.length} files`);
    return failed > 0 ? "partly" : undefined;

    async function importFile(path: string, file: string) {
      const identifier = identifierOf(file.slice(0, -".rrd".length).split(sep).join("/"));
      if (identifier === undefined) throw invalid(file, "not HOST/PLUGIN/TYPE.rrd");
      const found = readingsFromRrd(await dump(system, path, file), identifier);
      if (found === undefined) throw invalid(file, "it has no archive of averages");
      return found;
    }
  },
});

function invalid(file: string, why: string): Failure {
  return new Failure("bad_data", `${file} was not imported: ${why}`);
}

/** The RRD files below a folder, by name. Links are not followed. */
function rrdFiles(folder: string, name: string): readonly string[] {
  let files: readonly string[] = [];
  try {
    files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".rrd"))
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  } catch (error) {
    if (!hasCode(error, "ENOENT", "ENOTDIR")) throw error;
    throw new Failure("not_found", `No such directory: ${name}`);
  }
  if (files.length > 0) return [...files].sort();
  throw new Failure("not_found", `No RRD files below ${name}`);
}

// That of a data source with 1,200 rows in each of 15 archives has 2 MiB.
const maxDump = 512 * 1024 * 1024;

/** The output of `rrdtool dump`. */
function dump(system: System, path: string, file: string): Promise<string> {
  const { cwd, env, signal } = system;
  return new Promise((resolve, reject) => {
    const missing = () => {
      const hint = "Install RRDtool, or add it to PATH.";
      reject(new Failure("program", "Could not find rrdtool on the PATH", { hint }));
    };
    const program = startable("rrdtool", system);
    if (program === undefined) return missing();
    const options = { cwd, env: { ...env, LC_ALL: "C" }, signal, maxBuffer: maxDump };
    execFile(program, ["dump", path], options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else if (signal.aborted) reject(signal.reason);
      else if (hasCode(error, "ENOENT", "EACCES")) missing();
      else reject(invalid(file, stderr.trim().replace(/^ERROR: /, "") || error.message));
    });
  });
}
