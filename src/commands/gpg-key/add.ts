import { writeCommand } from "../../app/write-command.ts";
import { one } from "../../command/args.ts";
import { inputFile } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { gpgKey, gpgKeyAdd } from "../../forge/keys.ts";
import { call } from "../../forge/operation.ts";
import { NotFoundError } from "../../http/errors.ts";
import { commandOn, type Server } from "../../profiles/server.ts";
import { quoted } from "../../text/words.ts";
import { readArmored } from "./shared.ts";

/** `tongs gpg-key add`: POST /user/gpg_keys. */
export const add = writeCommand({
  summary: "Add a GPG key to your account",
  details:
    "If none of the email addresses of the key is yours, the server also requires a signature: the error then shows " +
    "the text to sign, which changes every minute.",
  on: "server",
  args: { file: one("file with the armored public key", { dash: "stdin", names: "input file" }) },
  flags: {
    signatureFile: inputFile("read an armored signature of the server's text from a file"),
  },
  output: gpgKey,
  examples: [["Add a key", "gpg --armor --export mara@example.org | tongs gpg-key add -"]],
  async work({ args, flags, http, server, system }) {
    if (args.file === "-" && flags.signatureFile === "-") {
      throw new UsageError("The key and the signature cannot both be read from stdin");
    }
    const armored_public_key = await readArmored("FILE", args.file, "PUBLIC KEY BLOCK", system);
    const armored_signature =
      flags.signatureFile === undefined
        ? undefined
        : await readArmored("--signature-file", flags.signatureFile, "SIGNATURE", system);
    const record = await call(http, gpgKeyAdd, {}, { armored_public_key, armored_signature }).catch((error: unknown) =>
      Promise.reject(signatureNeeded(error, args.file, server)),
    );
    const { id, key_id, verified } = record;
    const note = `To verify the key, run: ${commandOn(server, `tongs gpg-key verify ${key_id}`)}`;
    return { done: `Added GPG key ${key_id} to your account`, prints: id, record, notes: verified ? [] : [note] };
  },
});

/**
 * The error for a key whose addresses are not the user's, which servers answer with 404 and the text to sign
 * (docs/server-differences.md, "Keys and applications").
 */
function signatureNeeded(error: unknown, file: string, server: Server): unknown {
  if (!(error instanceof NotFoundError)) return error;
  const challenge = /token: ([0-9a-f]{64})/.exec(error.serverMessage)?.[1];
  if (challenge === undefined) return error;
  const source = file === "-" ? "FILE" : quoted(file);
  return new Failure("signature_required", "None of the email addresses of the key is yours", {
    hint:
      "Sign the server's text with the key within a minute:\n" +
      `echo ${challenge} | gpg --armor --detach-sign --local-user KEY | ${commandOn(server, `tongs gpg-key add ${source} --signature-file -`)}`,
    status: error.status,
    method: error.method,
    path: error.path,
    cause: error,
  });
}
