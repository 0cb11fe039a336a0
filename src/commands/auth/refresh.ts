import { defineCommand } from "../../app/define.ts";
import { reportDryRun } from "../../app/dry-run.ts";
import { currentProfileName, profileRecord, toRecord } from "../../app/profile-record.ts";
import { names, text, toggle } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { requireProfile, serverOf } from "../../profiles/choose.ts";
import type { Profile } from "../../profiles/profile.ts";
import { identify, storeSession, tokenPage } from "./sign-in.ts";

/** `tongs auth refresh`: renews a session with its refresh token, or signs in again with other scopes. */
export const refresh = defineCommand({
  summary: "Renew a browser sign-in",
  details:
    "Obtains a new access token for the current profile, or for the one given by --profile; tongs does this " +
    "automatically before the token expires. With --scopes, opens the browser again to change what the token may do. This is for " +
    "profiles that signed in with --web; the scopes of other access tokens cannot be changed.",
  on: "profiles",
  effect: "write",
  flags: {
    scopes: names("scopes of the new token, such as read:user or write:repository; all for everything", {
      placeholder: "SCOPE",
    }),
    clientId: text("the application to sign in with (default: the one of the last sign-in)", { placeholder: "ID" }),
    noBrowser: toggle("print the URL to open, and prompt for the URL that the browser ends at"),
  },
  output: profileRecord,
  exits: {
    denied: "the server no longer accepts the session; sign in again",
    refused: "the profile did not sign in with --web",
  },
  examples: [
    ["Renew the access token now", "tongs auth refresh"],
    ["Allow reading only", "tongs auth refresh --scopes read:repository,read:issue,read:user"],
  ],
  async run(context) {
    const { flags, options, profiles, out, choose, connectTo, system } = context;
    const name = options.profile ?? (await currentProfileName(choose));
    const config = profiles.read();
    const profile = requireProfile(config, name);
    const server = serverOf(profiles, config, name, "--profile");
    const stored = profile.token_command === undefined ? await profiles.credentials.get(name) : "";
    if (stored === undefined) {
      const hint = `Run: tongs auth login --web --profile ${name}`;
      throw new Failure("not_signed_in", `Profile '${name}' is not signed in`, { hint });
    }
    if (typeof stored === "string") throw notRenewable(name, profile, server.base);
    if (flags.scopes.length === 0) {
      if (flags.noBrowser || flags.clientId !== undefined) {
        throw new UsageError("--no-browser and --client-id require --scopes: without it, no page is opened");
      }
      if (await reportDryRun(context, `renew the session of profile ${name}`)) return;
      await profiles.renew(name, profile);
      await out.done(`Renewed the session of profile ${name}`, { record: toRecord(profiles.read(), name) });
      return;
    }
    const all = flags.scopes.includes("all");
    const { signInByBrowser } = await import("./web-sign-in.ts");
    const session = await signInByBrowser(context, server, {
      clientId: flags.clientId ?? stored.client_id,
      opensBrowser: !flags.noBrowser,
      pasteFlags: "--no-browser",
      scopes: all ? [] : flags.scopes,
    });
    const scopes = all ? ["all"] : flags.scopes;
    const { http } = await connectTo({ ...server, token: async () => session.access_token });
    const { login } = await identify(http, server.base, scopes);
    if (profile.user !== undefined && profile.user.toLowerCase() !== login.toLowerCase()) {
      const hint = `Sign in to the web page as ${profile.user}, or store another profile: tongs auth login --web`;
      throw new Failure("other_user", `The browser is signed in as ${login}, not as ${profile.user}`, {
        hint,
      });
    }
    if (await reportDryRun(context, `store the new session of profile ${name}`)) return;
    await storeSession(profiles, name, session, scopes, system.now());
    await out.done(`Renewed the session of profile ${name} with the scopes ${scopes.join(", ")}`, {
      record: toRecord(profiles.read(), name),
    });
  },
});

function notRenewable(name: string, profile: Profile, base: URL): Failure {
  const hint = `Create a token with other scopes at ${tokenPage(base)}, or sign in with the browser: tongs auth login --web --profile ${name}`;
  const what = profile.token_command === undefined ? "an access token" : "the token of a command";
  return new Failure("not_renewable", `Profile '${name}' uses ${what}, which cannot be renewed`, { hint });
}
