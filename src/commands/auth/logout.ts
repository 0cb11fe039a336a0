import { defineCommand } from "../../app/define.ts";
import { reportDryRun } from "../../app/dry-run.ts";
import { currentProfileName, profileRecord, toRecord } from "../../app/profile-record.ts";
import { toggle } from "../../command/flags.ts";
import { Failure, withHint } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { tokenRevoke } from "../../forge/tokens.ts";
import { DeniedError, UnknownOperationError } from "../../http/errors.ts";
import { requireProfile, serverOf } from "../../profiles/choose.ts";
import { profileNamed } from "../../profiles/profile.ts";
import { serverAddress } from "../../profiles/server.ts";
import { tokenPage } from "./sign-in.ts";

/** `tongs auth logout`: deletes the stored token of a profile and keeps its settings; with --revoke, DELETE /token. */
export const logout = defineCommand({
  summary: "Sign out of a server",
  details:
    "Deletes the stored token of the current profile, or of the one given by --profile. The profile keeps its other " +
    "settings for the next sign-in; to remove them as well, use tongs profile delete. The token stays valid on the " +
    "server until you delete it there, unless --revoke is given.",
  on: "profiles",
  effect: "write",
  flags: { revoke: toggle("also delete the token on the server, which not all servers can do") },
  output: profileRecord,
  exits: { denied: "the profile is not signed in" },
  examples: [
    ["Sign out of one profile", "tongs auth logout --profile work"],
    ["Also revoke the token", "tongs auth logout --revoke"],
  ],
  async run({ choose, connectTo, flags, options, profiles, out }) {
    const name = options.profile ?? (await currentProfileName(choose));
    const profile = requireProfile(profiles.read(), name);
    if (!profiles.credentials.has(name)) {
      if (profile.token_command === undefined) {
        throw new Failure("not_signed_in", `Profile '${name}' is not signed in`);
      }
      const hint = `To stop using the command, run: tongs profile set ${name} token_command ''`;
      throw new Failure("not_signed_in", `The token of profile '${name}' comes from a command`, { hint });
    }
    if (await reportDryRun({ out, options }, `delete the token of profile ${name}`)) return;
    if (flags.revoke) {
      // The stored token, not one of a command: that one stays in use.
      const { token_command: _command, ...stored } = profile;
      const server = serverOf(profiles, profiles.read(), name, "--profile");
      const { http } = await connectTo({ ...server, token: () => profiles.token(name, stored) });
      await call(http, tokenRevoke, {}).catch((error: unknown) => {
        // A token that the server does not accept needs no revoking.
        if (error instanceof DeniedError && error.status === 401) return;
        if (!(error instanceof UnknownOperationError)) throw error;
        throw withHint(error, `You are still signed in. Delete the token at ${tokenPage(serverAddress(profile.host))}`);
      });
    }
    await profiles.credentials.delete(name);
    const usesCommand = profile.token_command !== undefined;
    await profiles.update((config) => {
      const { user: _user, since: _since, scopes: _scopes, ...settings } = profileNamed(config, name) ?? profile;
      return usesCommand ? config : { ...config, profiles: { ...config.profiles, [name]: settings } };
    });
    const done = usesCommand
      ? `Deleted the stored token of profile ${name}, which uses its token_command`
      : `Signed out of ${profile.host} (profile ${name})`;
    await out.done(done, { record: toRecord(profiles.read(), name) });
    if (flags.revoke) return;
    out.note(
      `The token is still valid on the server; to revoke it, delete it at ${tokenPage(serverAddress(profile.host))}`,
    );
  },
});
