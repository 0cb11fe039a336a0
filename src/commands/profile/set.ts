import { defineCommand } from "../../app/define.ts";
import { reportDryRun } from "../../app/dry-run.ts";
import { readStdin } from "../../app/input.ts";
import { maskProxy, profileRecord, toRecord } from "../../app/profile-record.ts";
import { one, word } from "../../command/args.ts";
import { requireProfile } from "../../profiles/choose.ts";
import { type Config, profileKeys, profileNamed } from "../../profiles/profile.ts";
import { addressText, serverAddress } from "../../profiles/server.ts";
import { checkProfileName, withSetting } from "../../profiles/settings.ts";
import { homeFolder } from "../../system/base-folders.ts";

/** `tongs profile set`: changes one setting of a profile, and creates it if the setting is its host; sends no request. */
export const set = defineCommand({
  summary: "Change a profile setting",
  details:
    "host: the server's address; creates the profile if there is none of that name; changing to another server deletes " +
    "the token, which is only ever sent to its own server. user: the username to report with writes. repo: the default repository, OWNER/NAME. " +
    "ca: a file with additional CA certificates. client_cert and client_key: the files of the certificate that " +
    "identifies you to the server, and of its key unless both are in one file. headers: additional headers for each " +
    "request, as NAME=VARIABLE separated by commas; the values are in these environment variables. token_command: a " +
    "program with its arguments that prints the token; it is started without a shell when a token is needed. insecure_http: true to allow plain HTTP. " +
    "proxy: the address of a proxy, or none to connect directly. " +
    "rules: comma-separated hosts of git remotes, and directories, that select this profile. " +
    "An empty VALUE removes the setting; - reads the value from stdin.",
  on: "profiles",
  effect: "write",
  args: {
    name: one("the name of the profile", { source: "profile" }),
    key: word(profileKeys, "the setting to change"),
    value: one("the new value"),
  },
  output: profileRecord,
  examples: [
    ["Use a profile for everything below ~/work", "tongs profile set work rules ~/work"],
    ["Trust the company's certificate authority", "tongs profile set work ca company-ca.pem"],
    ["Take the token from a password manager", "tongs profile set work token_command 'pass show tongs/work'"],
    ["Identify with a client certificate", "tongs profile set work client_cert ~/work.pem"],
    [
      "Authenticate to an access proxy",
      "tongs profile set work headers CF-Access-Client-Id=CF_ID,CF-Access-Client-Secret=CF_SECRET",
    ],
    ["Bypass the proxy set in the environment", "tongs profile set work proxy none"],
  ],
  async run({ args, profiles, out, options, system }) {
    const { name, key } = args;
    const value = args.value === "-" ? (await readStdin(system)).trim() : args.value;
    const folders = {
      get cwd() {
        return system.cwd;
      },
      get home() {
        return homeFolder(system.env);
      },
    };
    let moved = false;
    let created = false;
    const change = (config: Config): Config => {
      const known = profileNamed(config, name);
      created = known === undefined && key === "host" && value !== "";
      if (created) checkProfileName(name);
      const before = created ? { host: value } : requireProfile(config, name);
      const after = withSetting(before, key, value, folders);
      moved = serverAddress(after.host).origin !== serverAddress(before.host).origin;
      const { user: _user, since: _since, scopes: _scopes, ...signedOut } = after;
      return { ...config, profiles: { ...config.profiles, [name]: moved ? signedOut : after } };
    };
    change(profiles.read());
    const shown = key === "proxy" ? maskProxy(value) : value;
    if (await reportDryRun({ out, options }, `set ${key} of profile ${name} to '${shown}'`)) return;
    // Delete the token first, so that it is never stored with the address of another server.
    if (moved) await profiles.credentials.delete(name);
    await profiles.update(change);
    if (moved) {
      const { host } = profileNamed(profiles.read(), name) ?? { host: value };
      out.note(
        `${addressText(serverAddress(host))} is a different server. To sign in, run: tongs auth login --profile ${name}`,
      );
    }
    if (key === "token_command" && value !== "" && profiles.credentials.has(name)) {
      out.note(`The stored token is no longer used. To delete it, run: tongs auth logout --profile ${name}`);
    }
    const message = created
      ? `Created profile ${name}`
      : `${value === "" ? "Removed" : "Set"} ${key} of profile ${name}`;
    await out.done(message, { record: toRecord(profiles.read(), name) });
  },
});
