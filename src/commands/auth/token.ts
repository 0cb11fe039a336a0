import { defineCommand } from "../../app/define.ts";
import { Failure } from "../../failure/failure.ts";
import { addressText, signInLine } from "../../profiles/server.ts";
import { type Infer, nullable, record, string } from "../../shape/shape.ts";

const tokenRecord = record({ profile: nullable(string), host: string, user: nullable(string), token: string });

/** `tongs auth token`: prints the token of the selected server; sends no request. */
export const token = defineCommand({
  summary: "Print the access token",
  details: "Prints the token of the selected server, for use by other programs. Keep it out of command lines and logs.",
  on: "profiles",
  effect: "read",
  asTool: "none",
  output: tokenRecord,
  exits: { denied: "not signed in" },
  examples: [["Pass the token to another program", "TOKEN=$(tongs auth token --profile work) ./backup.sh"]],
  async run({ choose, out }) {
    const server = await choose();
    const host = addressText(server.base);
    const value = await server.token();
    if (value === undefined) {
      throw new Failure("not_signed_in", `No token found for ${host} (selected by ${server.because})`, {
        hint: `Run: ${signInLine(server)}`,
      });
    }
    const result: Infer<typeof tokenRecord> = {
      profile: server.profile ?? null,
      host,
      user: server.user ?? null,
      token: value,
    };
    if (out.records) await out.record(result, () => ({ fields: [] }));
    else await out.raw(`${value}\n`);
  },
});
