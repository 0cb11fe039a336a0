import { createHash } from "node:crypto";
import { join } from "node:path";
import type { PlainContext } from "../../app/context.ts";
import { choice, type FlagValues, sizeOr, text } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { leftOutText } from "../../metrics/formats/influx.ts";
import { forwardFormats } from "../../metrics/forward/formats.ts";
import type { ForwardProgress } from "../../metrics/forward/forwarder.ts";
import type { ForwardCounters } from "../../metrics/status/status.ts";
import { stateFolder } from "../../system/base-folders.ts";
import { fullPath } from "../../system/files.ts";

/** Flags of commands that receive readings and forward them. */
export const forwardFlags = {
  forward: text("send the readings on to the engine at this URL, as push --format does", { placeholder: "URL" }),
  forwardFormat: choice(forwardFormats, "what the engine takes (default: remote-write)"),
  spool: text("directory that keeps readings until the engine has them (default: below XDG_STATE_HOME)", {
    names: "output file",
    placeholder: "DIR",
  }),
  spoolSize: sizeOr("1GiB", 1024 ** 3, "with --forward: how much it may keep; the oldest are dropped and counted"),
};

/** How forwarding is described in the help of these commands. */
export const forwardDetails =
  "--forward sends the readings on to an engine: VictoriaMetrics, Prometheus, InfluxDB and others (see push). They are kept in " +
  "--spool until the engine has them, through an outage of it and after tongs was killed; the same command sends what is left. " +
  "Another process sends them, so that receiving does not wait. What the engine refuses is named, counted, and not sent again. " +
  "Token, headers and certificates come from the profile for the URL.";

/** Opens the spool, which `syncs` what calls wait for, and starts to forward; undefined without --forward. */
export async function openForwarding(
  { system, options, out }: Pick<PlainContext, "system" | "options" | "out">,
  flags: FlagValues<typeof forwardFlags>,
  syncs: boolean,
) {
  const { forward, spool, forwardFormat: format = "remote-write" } = flags;
  if (forward === undefined) {
    if (spool === undefined && flags.forwardFormat === undefined) return undefined;
    throw new UsageError("--forward-format and --spool require --forward");
  }
  const [{ engineUrl }, { openSpoolWriter }, { noProgress }, { startForwarder }] = await Promise.all([
    import("./engine.ts"),
    import("../../metrics/forward/spool-writer.ts"),
    import("../../metrics/forward/forwarder.ts"),
    import("./forward-process.ts"),
  ]);
  const address = engineUrl(forward).href;
  const digest = createHash("sha256").update(`${format} ${address}`).digest("hex").slice(0, 16);
  const folder = spool === undefined ? join(stateFolder(system.env), "spool", digest) : fullPath(spool, system);
  const purpose = { folder, name: spool ?? folder, address, format };
  const { warn } = out;
  const writer = await openSpoolWriter(purpose, { size: flags.spoolSize, syncs, now: system.now, warn });
  let progress: ForwardProgress = noProgress;
  const onProgress = (reported: ForwardProgress) => {
    progress = reported;
  };
  const job = { ...purpose, profile: options.profile, timeout: options.timeout };
  const forwarder = await startForwarder(job, system, { warn, onProgress }).catch((error: unknown) => {
    writer.close();
    throw error;
  });
  if (writer.found > 0) out.note(`${writer.found} readings of before wait in ${purpose.name}`);
  let mostDropped = 0;

  function counters(): ForwardCounters {
    const { sent, refused, damaged, lag } = progress;
    const dropped = Math.max(0, progress.dropped + writer.dropped());
    const left = Math.max(0, writer.found + writer.added() - writer.lost() - sent - refused - dropped - damaged);
    // What a removed spool had is not sent.
    const [waiting, gone] = writer.isThere() ? [left, 0] : [0, left];
    return { sent, refused, dropped: dropped + writer.lost() + damaged + gone, lag, waiting };
  }

  return {
    /** Adds a reading, and writes what was added; see `openSpoolWriter`. */
    add: writer.add,
    flush: writer.flush,
    /** How many readings could not be written to the spool. */
    lost: writer.lost,
    counters: () => {
      const counted = counters();
      // What is on its way when it is dropped may be sent nevertheless; a counter never falls.
      mostDropped = Math.max(mostDropped, counted.dropped);
      return { ...counted, dropped: mostDropped };
    },
    /** Sends what it can in some seconds, and returns the counters. */
    async close() {
      writer.flush();
      await forwarder.end();
      const ended = counters();
      writer.close();
      const { sent, refused, dropped, waiting } = ended;
      const parts = [
        `Forwarded ${sent} ${sent === 1 ? "reading" : "readings"} to ${address}`,
        ...(waiting === 0 ? [] : [`${waiting} wait in ${purpose.name}`]),
        ...(refused === 0 ? [] : [`${refused} were refused`]),
        ...(dropped === 0 ? [] : [`${dropped} were dropped`]),
      ];
      (refused + dropped > 0 ? out.warn : out.note)(parts.join("; "));
      if (progress.leftOut > 0) out.note(leftOutText(progress.leftOut));
      return ended;
    },
  };
}
