import { defineCommand } from "../../app/define.ts";
import { readFileFlagBytes } from "../../app/input.ts";
import { one } from "../../command/args.ts";
import { credentialFor, parseCredentialRequest } from "../../profiles/git-credential.ts";
import { utf8Text } from "../../text/utf8.ts";

/** `tongs auth git-credential`: answers git from the stored profiles; sends no request. */
export const gitCredential = defineCommand({
  summary: "Act as git's credential helper",
  details:
    "Git runs this command; to set it up, run tongs auth setup-git. get reads the protocol and host from stdin, and prints " +
    "the username and token of the profile for exactly that server, or nothing if there is none. store and erase do " +
    "nothing: use tongs auth login and logout.",
  on: "profiles",
  effect: "read",
  asTool: "none",
  args: { operation: one("get, store or erase") },
  examples: [["Ask as git does", "printf 'protocol=https\\nhost=git.example.org\\n' | tongs auth git-credential get"]],
  async run({ args, options, profiles, system, out }) {
    // Git sends names as they are, UTF-8 or not.
    const text = utf8Text(await readFileFlagBytes("stdin", "-", system));
    // Git may ask for operations of later versions, which helpers have to ignore.
    if (args.operation !== "get") return;
    const asked = parseCredentialRequest(text);
    if (asked === undefined) return;
    const found = await credentialFor(profiles, asked, { env: system.env, cwd: system.cwd, profile: options.profile });
    if (found === undefined) return;
    const { protocol, host } = asked;
    const lines = { protocol, host, username: found.username, password: found.password };
    await out.raw(
      `${Object.entries(lines)
        .map((pair) => `${pair.join("=")}\n`)
        .join("")}`,
    );
  },
});
