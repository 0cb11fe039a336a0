import isNewer from "semver/functions/gt.js";
import { defineCommand } from "../app/define.ts";
import { latestVersion, updateAddress } from "../app/latest-version.ts";
import { toggle } from "../command/flags.ts";
import { UsageError } from "../failure/failure.ts";
import { boolean, type Infer, record, string } from "../shape/shape.ts";
import { version } from "../system/files.ts";

const answer = record({
  version: string,
  /** The newest version. */
  latest: string,
  /** Whether it is newer than this one. */
  newer: boolean,
  /** Where to get it. */
  url: string,
});

/** How long to wait for the answer, in seconds, unless `--timeout` says otherwise. */
const defaultSeconds = 10;

/** `tongs upgrade --check`: asks TONGS_UPDATE_URL or the setting update_url for the newest version. */
export const upgrade = defineCommand({
  summary: "Check for a new version of tongs",
  details:
    "Asks the address in TONGS_UPDATE_URL, or in the setting update_url, for the newest version. There is no address by " +
    "default, so nothing is sent. The response must be a JSON object with 'version', such as 1.2.3, and 'url', where " +
    "to get it. tongs never updates itself.\n" +
    "With an address, other commands on a terminal also check it, at most once a day, after the command's output, and print a notice " +
    "on stderr, but not in CI and not with --json, --jsonl, --csv, --jq or --quiet. TONGS_NO_UPDATE_NOTIFIER=1 turns that off.",
  on: "nothing",
  effect: "read",
  asTool: "none",
  flags: { check: toggle("check for a new version") },
  output: answer,
  exits: { ok: "checked; 'newer' tells whether there is a new version" },
  examples: [
    ["Check for a new version", "tongs upgrade --check"],
    ["Print the newest version only", "tongs upgrade --check --jq .latest"],
  ],
  async run({ flags, options, out, system }) {
    if (!flags.check) {
      throw new UsageError("tongs does not update itself", "To check for a new version, run: tongs upgrade --check");
    }
    const address = updateAddress(system);
    if (address === undefined) {
      const hint = "Set TONGS_UPDATE_URL or the setting update_url to the address that publishes the newest version.";
      throw new UsageError("No address is set to check for a new version", hint);
    }
    const latest = await latestVersion(address, system, (options.timeout ?? defaultSeconds) * 1000);
    const found: Infer<typeof answer> = {
      version,
      latest: latest.version,
      newer: isNewer(latest.version, version),
      url: latest.url,
    };
    await out.record(found, ({ newer }) => ({
      fields: [
        ["version", version],
        ["latest", found.latest],
        ["newer", newer ? "yes" : "no"],
        ["url", found.url],
      ],
    }));
  },
});
