import { defineCommand } from "../../app/define.ts";
import { reportDryRun } from "../../app/dry-run.ts";
import { readStdin } from "../../app/input.ts";
import { one, word } from "../../command/args.ts";
import { unknownProfile } from "../../profiles/choose.ts";
import { type Config, profileKeys, profileNamed } from "../../profiles/profile.ts";
import { addressText, serverAddress } from "../../profiles/server.ts";
import { withSetting } from "../../profiles/settings.ts";
import { maskProxy, profileRecord, toRecord } from "./shared.ts";

/** `tongs profile set`: changes one setting of a stored profile; sends no request. */
export const set = defineCommand({
  summary: "Change a profile setting",
  details:
    "host: the server's address; changing to another server deletes the token, which is only ever sent to its own " +
    "server. user: the username to report with writes. repo: the default repository, OWNER/NAME. " +
    "ca: a file with additional CA certificates. insecure_http: true to allow plain HTTP. " +
    "proxy: the address of a proxy, or none to connect directly. " +
    "rules: comma-separated hosts of git remotes, and folders, that select this profile. " +
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
    ["Bypass the proxy set in the environment", "tongs profile set work proxy none"],
  ],
  async run({ args, profiles, out, options, system }) {
    const { name, key } = args;
    const value = args.value === "-" ? (await readStdin(system)).trim() : args.value;
    const folders = {
      get cwd() {
        return system.cwd;
      },
      home: system.env["HOME"] || system.env["USERPROFILE"],
    };
    let moved = false;
    const change = (config: Config): Config => {
      const before = profileNamed(config, name);
      if (before === undefined) throw unknownProfile(config, name);
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
    const message = `${value === "" ? "Removed" : "Set"} ${key} of profile ${name}`;
    await out.done(message, { record: () => Promise.resolve(toRecord(profiles.read(), name)) });
  },
});
