import { defineCommand } from "../../app/define.ts";
import { reportDryRun } from "../../app/dry-run.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { unknownProfile } from "../../profiles/choose.ts";
import { profileNamed } from "../../profiles/profile.ts";
import { serverAddress } from "../../profiles/server.ts";
import { profileRecord, recordOf } from "../profile/record.ts";
import { tokenPage } from "./identify.ts";

/** `tongs auth logout`: forgets the token of a profile and keeps its settings; nothing is sent. */
export const logout = defineCommand({
  summary: "Sign out of a server",
  details:
    "Forgets the token of the profile in force, or of --profile; the profile's settings stay for the next sign-in " +
    "(tongs profile delete removes them, too). The token stays valid on the server until it is deleted there.",
  on: "profiles",
  effect: "write",
  output: profileRecord,
  exits: { denied: "not signed in there" },
  examples: [["Sign out of one", "tongs auth logout --profile work"]],
  async run({ choose, options, profiles, out }) {
    const { profile: inForce, because } = options.profile === undefined ? await choose() : { because: "--profile" };
    const name = options.profile ?? inForce;
    if (name === undefined) {
      throw new UsageError(
        `No stored profile is in force: ${because} names the server`,
        "Name one with --profile NAME",
      );
    }
    const profile = profileNamed(profiles.read(), name);
    if (profile === undefined) throw unknownProfile(profiles.read(), name);
    if (profiles.credentials.get(name) === undefined) {
      throw new Failure("not_signed_in", "denied", `The profile '${name}' is not signed in`);
    }
    if (await reportDryRun({ out, options }, `forget the token of ${name}`)) return;
    await profiles.credentials.delete(name);
    await profiles.update((config) => {
      const { user: _user, since: _since, scopes: _scopes, ...kept } = profileNamed(config, name) ?? profile;
      return { ...config, profiles: { ...config.profiles, [name]: kept } };
    });
    await out.done(`Signed out of ${profile.host} (profile ${name})`, { record: recordOf(profiles.read(), name) });
    out.note(`The token is still valid there; delete it at ${tokenPage(serverAddress(profile.host))}`);
  },
});
