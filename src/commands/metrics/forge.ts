import { defineCommand } from "../../app/define.ts";
import { selectRepositories } from "../../app/select-repositories.ts";
import { levelFlags, selectedLevel } from "../../app/shared.ts";
import { any } from "../../command/args.ts";
import { text, toggle } from "../../command/flags.ts";
import { Failure } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { orgGet } from "../../forge/orgs.ts";
import { readingsFromPutval } from "../../metrics/encode/from-putval.ts";
import { encodeReading } from "../../metrics/reading/codec.ts";
import { padded } from "../../metrics/wire/block.ts";
import { parseRepo } from "../../repo/repo-name.ts";
import { list } from "../../shape/shape.ts";
import { readSpan } from "./flags.ts";
import { createForgeReader, type ForgeValue, forgeTypes } from "./forge-reader.ts";
import { recordFlags, recordSession, refusedExit } from "./record.ts";
import { readingRecord } from "./records.ts";
import { createRejections } from "./rejections.ts";

/** `tongs metrics forge`: reads a forge again and again. */
export const forge = defineCommand({
  summary: "Read the queue, runners and runs of a forge as readings",
  details:
    "Reads the server every --every until interrupted: jobs that wait, by label, and the age of the oldest; jobs that run; " +
    "runners that are online, busy and idle; the number of mirrors and the age of the oldest; what the quota has, and the bytes of " +
    "packages; unread notifications; the version and how fast the server answers; and of each REPOSITORY how its workflows ended " +
    "and how long the last run took. The whole server requires an administrator; --org and --user read less. What a server does " +
    "not have is left out, and what the token may not read is named once. A round that the server does not answer is a gap.\n\n" +
    "Series are named HOST/forge-LEVEL/TYPE-NAME with types of collectd's types.db, such as forge-server/queue_length-waiting, and " +
    "forge-OWNER+NAME/operations-ci.yml_failure for the runs that failed since the start, of the 50 newest in each round. A round sends " +
    "at most 10 requests: repositories take turns. Patterns match what exists at the start.\n\n" +
    "Prints PUTVAL lines on a pipe, for collectd's exec plugin, whose interval is the default of --every. --to, --rotate, --forward, " +
    "--expose, --status-address and the like are those of metrics serve. In collectd.conf:\n\n" +
    '  LoadPlugin exec\n  <Plugin exec>\n    Exec "tongs" "tongs" "metrics" "forge"\n  </Plugin>',
  on: "server",
  effect: "read",
  asTool: "none",
  args: { repository: any("repositories whose runs are read: OWNER/NAME or patterns", { source: "repository" }) },
  flags: {
    org: { ...levelFlags.org, description: "of an organization, instead of the server" },
    user: { ...levelFlags.user, description: "of your account, instead of the server" },
    every: text("how often: 10s, 1m (default: COLLECTD_INTERVAL, or 10s)", { placeholder: "SPAN" }),
    once: toggle("read it once"),
    ...recordFlags,
    format: {
      ...recordFlags.format,
      description: "output format (putval; text on a terminal); parquet of rotated files",
    },
  },
  exclusive: [["org", "user"]],
  output: list(readingRecord),
  exits: { refused: refusedExit, partly: "readings could not be written or forwarded" },
  examples: [
    ["Print what the server says now", "tongs metrics forge --once --format text"],
    ["Record it every ten seconds, with the runs of a repository", "tongs metrics forge mara/harbor --to forge.bin"],
    ["Also read the runs of all repositories of an owner", "tongs metrics forge 'mara/*' --once"],
  ],
  async run(context) {
    const { system, options, args, flags, http, server } = context;
    // collectd logs what it finds on stderr as an error: there are only problems then.
    const out = system.env["COLLECTD_INTERVAL"] ? { ...context.out, note() {} } : context.out;
    const interval = 1000 * (readSpan(flags.every ?? system.env["COLLECTD_INTERVAL"], "--every") ?? 10);
    const selected = args.repository.length === 0 ? [] : await selectRepositories(args.repository, context);
    const repos = selected.map(({ name }) => parseRepo(name));
    const level = selectedLevel(flags) ?? ({ of: "server" } as const);
    if (flags.org !== undefined) await call(http, orgGet, { org: flags.org });
    const { host } = server.base;
    const problems = createRejections(out, ["Had", "problem", "problems"], system.now);

    /** Encodes a value of a round. A name of collectd has no slash. */
    const encode = ({ instance, series, value }: ForgeValue, at: number) => {
      const name = JSON.stringify(`${host}/forge-${instance}/${series.replaceAll("/", "_")}`);
      const line = `PUTVAL ${name} interval=${interval / 1000} ${at / 1000}:${value}`;
      return readingsFromPutval(line, { types: forgeTypes, now: () => at }).map(encodeReading);
    };

    return recordSession(
      { system, options, out, flags },
      { answers: false, usual: "putval" },
      async ({ take, end }) => {
        const stop = new AbortController();
        const reading = { level, repos, now: system.now, onProblem: problems.add };
        const read = createForgeReader({ http: http.until(stop.signal), ...reading });
        let running: Promise<void> | undefined;
        let next = system.now().getTime();

        async function round(): Promise<void> {
          const at = system.now().getTime();
          next += interval * Math.max(1, Math.ceil((at - next) / interval));
          try {
            for (const encoded of (await read()).flatMap((value) => encode(value, at))) {
              const { bytes, view } = padded(encoded);
              void take(bytes, view, 0, encoded.length);
            }
          } catch (error) {
            if (stop.signal.aborted) return;
            const isOutage = error instanceof Failure && ["noAnswer", "serverFailed"].includes(error.exit);
            if (flags.once || !isOutage) return end(error);
            problems.add(`Could not read ${host}: ${error.message}`);
          } finally {
            running = undefined;
          }
          if (flags.once) end();
        }

        if (!flags.once) out.note(`Reading ${host} every ${interval / 1000} s until Ctrl-C`);
        running = round();
        return {
          tick: () => {
            problems.tick();
            if (running === undefined && system.now().getTime() >= next) running = round();
          },
          close: async () => {
            stop.abort();
            await running;
            problems.end();
          },
        };
      },
    );
  },
});
