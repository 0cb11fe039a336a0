import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { inputFile } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { gpgChallenge, gpgKey, gpgKeyVerify } from "../../forge/keys.ts";
import { call } from "../../forge/operation.ts";
import { InvalidError, ServerError } from "../../http/errors.ts";
import { accountLabel, commandOn, type Server } from "../../profiles/server.ts";
import { ownKeys, readArmored } from "./shared.ts";

/** `tongs gpg-key verify`: GET /user/gpg_key_token, or with a signature of it POST /user/gpg_key_verify. */
export const verify = defineCommand({
  summary: "Verify that a GPG key is yours",
  details:
    "Without --signature-file, prints the text to sign and the command that signs it. The text changes every minute. " +
    "With --signature-file, sends the signature.",
  on: "server",
  effect: "write",
  args: { key: one("ID, key ID or fingerprint of the key") },
  flags: {
    signatureFile: inputFile("read the armored signature from a file"),
  },
  output: gpgKey,
  exits: { invalid: "the signature does not match, or is too old" },
  examples: [
    ["Print the text to sign", "tongs gpg-key verify 6E60D493D5589E96"],
    [
      "Verify a key",
      "tongs gpg-key verify 6E60D493D5589E96 | gpg --armor --detach-sign --local-user 6E60D493D5589E96 | " +
        "tongs gpg-key verify 6E60D493D5589E96 --signature-file -",
    ],
  ],
  async run({ args, flags, http, out, server, system }) {
    if (flags.signatureFile === undefined) {
      if (out.records) throw new UsageError("--signature-file is required", "To print the text to sign, omit --json.");
      const { key_id } = (await ownKeys(http))(args.key);
      const challenge = await gpgChallenge(http);
      await out.raw(`${challenge}\n`);
      out.note(`Within a minute, run:\n${signingCommand(challenge, key_id, server)}`);
      return;
    }
    // stdin is read first: the text to sign is fetched by the command before in the pipe.
    const signature = await readArmored("--signature-file", flags.signatureFile, "SIGNATURE", system);
    const { key_id } = (await ownKeys(http))(args.key);
    const verified = await call(http, gpgKeyVerify, {}, { key_id, armored_signature: signature }).catch(
      (error: unknown) => {
        if (error instanceof ServerError && key_id.startsWith("0")) {
          throw new ServerError(error.exchange, `${server.base.host} cannot verify keys whose key ID begins with 0`);
        }
        if (!(error instanceof InvalidError)) throw error;
        const message = `The signature is not of key ${key_id}, or the text it signs is too old`;
        throw new InvalidError(
          error.exchange,
          message,
          `Sign a new text: ${commandOn(server, `tongs gpg-key verify ${key_id}`)}`,
        );
      },
    );
    await out.done(`Verified GPG key ${key_id} ${accountLabel(server)}`, { record: verified });
  },
});

/** The command that signs the text and sends the signature. */
function signingCommand(challenge: string, key: string, server: Server): string {
  return (
    `echo ${challenge} | gpg --armor --detach-sign --local-user ${key} | ` +
    commandOn(server, `tongs gpg-key verify ${key} --signature-file -`)
  );
}
