import { defineCommand } from "../../app/define.ts";
import { one } from "../../command/args.ts";
import { Failure, withHint } from "../../failure/failure.ts";
import { actor, actorGet } from "../../forge/account.ts";
import { call } from "../../forge/operation.ts";
import { userGet } from "../../forge/users.ts";
import { UnknownOperationError } from "../../http/errors.ts";

/** `tongs user actor`: GET /activitypub/user-id/{user-id}, after finding the ID. */
export const userActor = defineCommand({
  summary: "Show a user's ActivityPub actor",
  details: "Prints the ActivityPub description of the user, which servers have only if federation is on.",
  on: "server",
  needs: [actorGet],
  effect: "read",
  args: { name: one("username") },
  output: actor,
  exits: { notFound: "the user does not exist, or the server has no federation" },
  examples: [["Print the address of a user", "tongs user actor mara --jq .id"]],
  async run({ args, http, out }) {
    const { id, login } = await call(http, userGet, { username: args.name });
    if (id === undefined) throw new Failure("not_found", `User ${args.name} has no ID`);
    const found = await call(http, actorGet, { "user-id": id }).catch((error: unknown) => {
      if (!(error instanceof UnknownOperationError)) throw error;
      throw withHint(error, "Federation may be off on this server.");
    });
    await out.record(found, (record) => ({
      title: record.preferredUsername ?? login,
      fields: [
        ["id", record.id],
        ["type", record.type],
        ["url", record.url],
        ["inbox", record.inbox],
        ["outbox", record.outbox],
      ],
    }));
  },
});
