import { defineCommand } from "../../app/define.ts";
import { reportDryRun } from "../../app/dry-run.ts";
import { readStdin } from "../../app/input.ts";
import { one, word } from "../../command/args.ts";
import { unknownProfile } from "../../profiles/choose.ts";
import { type Config, profileKeys, profileNamed } from "../../profiles/profile.ts";
import { addressText, serverAddress } from "../../profiles/server.ts";
import { withSetting } from "../../profiles/settings.ts";
import { profileRecord, recordOf, shownProxy } from "./record.ts";

/** `tongs profile set`: changes one key of a profile. */
export const set = defineCommand({
  summary: "Change a setting of a profile",
  details:
    "host: the server's address; another one signs the profile out, for a token goes to its own server only. " +
    "user: the name that writes are reported with. repo: the repository that counts where none is named, OWNER/NAME. " +
    "ca: a file of extra certificate authorities. insecure_http: true allows plain http. " +
    "proxy: a proxy's address, or none for a direct connection. " +
    "rules: remotes' hosts and folders that the profile applies to, commas between them. " +
    "An empty VALUE takes a setting away; - reads it from stdin.",
  on: "profiles",
  effect: "write",
  args: {
    name: one("the profile's name"),
    key: word(profileKeys, `the setting: ${profileKeys.join(", ")}`),
    value: one("what it is set to"),
  },
  output: profileRecord,
  examples: [
    ["Everything below ~/work belongs to this profile", "tongs profile set work rules ~/work"],
    ["Trust the company's certificate authority", "tongs profile set work ca company-ca.pem"],
    ["Go around the proxy of the environment", "tongs profile set work proxy none"],
  ],
  async run({ args, profiles, out, options, system }) {
    const { name, key } = args;
    const value = args.value === "-" ? (await readStdin(system)).trim() : args.value;
    const place = { cwd: system.cwd, home: system.env["HOME"] || system.env["USERPROFILE"] };
    let moved = false;
    const change = (config: Config): Config => {
      const before = profileNamed(config, name);
      if (before === undefined) throw unknownProfile(config, name);
      const after = withSetting(before, key, value, place);
      moved = serverAddress(after.host).origin !== serverAddress(before.host).origin;
      const { user: _user, since: _since, scopes: _scopes, ...unsigned } = after;
      return { ...config, profiles: { ...config.profiles, [name]: moved ? unsigned : after } };
    };
    change(profiles.read());
    const shown = key === "proxy" ? shownProxy(value) : value;
    if (await reportDryRun({ out, options }, `set ${key} of ${name} to '${shown}'`)) return;
    // The token first: at no moment does it stand beside another server's address.
    if (moved) await profiles.credentials.delete(name);
    await profiles.update(change);
    if (moved) {
      const { host } = profileNamed(profiles.read(), name) ?? { host: value };
      out.note(
        `${addressText(serverAddress(host))} is another server: sign in with: tongs auth login --profile ${name}`,
      );
    }
    const message = value === "" ? `${key} of ${name} is no longer set` : `${key} of ${name} is set`;
    await out.done(message, { record: () => Promise.resolve(recordOf(profiles.read(), name)) });
  },
});
