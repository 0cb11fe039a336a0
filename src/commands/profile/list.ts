import { defineCommand } from "../../app/define.ts";
import { styled, when } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { list as listOf } from "../../shape/shape.ts";
import { type ProfileRecord, profileRecord, recordOf } from "./shared.ts";

const columns = [
  column<ProfileRecord>("", (profile) => (profile.default ? styled("good", "*") : "")),
  column<ProfileRecord>("NAME", (profile) => styled("strong", profile.name)),
  column<ProfileRecord>("HOST", (profile) => styled("link", profile.host), true),
  column<ProfileRecord>("USER", (profile) => profile.user),
  column<ProfileRecord>("SIGNED IN", (profile) => when(profile.since)),
];

/** `tongs profile list`: what is stored; nothing is sent. */
export const list = defineCommand({
  summary: "List the stored profiles",
  details: "A star marks the default. Tokens are never shown.",
  on: "profiles",
  effect: "read",
  output: listOf(profileRecord),
  examples: [["Which servers am I signed in to", "tongs profile list"]],
  async run({ profiles, out }) {
    const config = profiles.read();
    const records = Object.keys(config.profiles).flatMap((name) => recordOf(config, name) ?? []);
    await out.list(records, columns);
  },
});
