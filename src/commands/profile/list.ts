import { defineCommand } from "../../app/define.ts";
import { type ProfileRecord, profileRecord, toRecord } from "../../app/profile-record.ts";
import { styled } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";

const columns = [
  column<ProfileRecord>("", "default", (profile) => (profile.default ? styled("good", "*") : "")),
  column<ProfileRecord>("NAME", "name", { style: "strong" }),
  column<ProfileRecord>("HOST", "host", { style: "link", flexible: true }),
  column<ProfileRecord>("USER", "user"),
  column<ProfileRecord>("SIGNED IN", "since", { as: "time", rank: "optional" }),
];

/** `tongs profile list`: lists the stored profiles; sends no request. */
export const list = defineCommand({
  summary: "List profiles",
  details: "An asterisk marks the default profile. Tokens are never printed.",
  on: "profiles",
  effect: "read",
  lists: ["profile", "profiles"],
  output: listOf(profileRecord),
  examples: [["List the servers you are signed in to", "tongs profile list"]],
  async run({ profiles, out }) {
    const config = profiles.read();
    const records = Object.keys(config.profiles).map((name) => toRecord(config, name));
    await out.list(records, columns);
  },
});
