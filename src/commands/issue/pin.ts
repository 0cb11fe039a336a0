import type { RepositoryContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { explainDenied } from "../../app/denied.ts";
import { foreseeLater } from "../../app/dry-run.ts";
import { issueName, oneIssue } from "../../app/issue-selector.ts";
import { integer } from "../../command/flags.ts";
import { Failure } from "../../failure/failure.ts";
import { issue, issueGet } from "../../forge/issues.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { issuePin, issuePinMove, issuePinnedList, pinAllowedGet } from "../../forge/pins.ts";
import { ServerError } from "../../http/errors.ts";
import { accountLabel, commandIn } from "../../profiles/server.ts";

const admins = "administrators of the repository";

/** `tongs issue pin`: POST the pin, then PATCH its position. */
export const pin = defineCommand({
  summary: "Pin an issue",
  details: "Pinned issues are shown above the list of issues. Pinning a pinned issue changes only its position.",
  on: "repository",
  effect: "write",
  args: { issue: oneIssue },
  flags: { position: integer("position among the pinned issues (default: the last)", { min: 1 }) },
  output: issue,
  exits: { refused: "no more issues can be pinned" },
  examples: [
    ["Pin an issue", "tongs issue pin 12"],
    ["Move a pinned issue to the top", "tongs issue pin 12 --position 1"],
  ],
  async run(context) {
    const { args, flags, http, repo, server, out } = context;
    const name = issueName(repo, args.issue);
    const { position } = flags;
    if (position !== undefined) await checkPosition(position, args.issue, context);
    if (position !== undefined) foreseeLater(context, "The position", issuePinMove.undo?.cannot);
    let unchanged = false;
    await call(http, issuePin, { repo, index: args.issue }).catch(async (error: unknown) => {
      if (!(error instanceof ServerError)) throw explainDenied(error, `Cannot pin ${name}`, admins);
      await requirePinned(args.issue, context, error);
      unchanged = position === undefined;
    });
    if (position !== undefined) {
      await call(http, issuePinMove, { repo, index: args.issue, position }).catch((error: unknown) => {
        out.warn(`Pinned ${name}, but it was not moved`);
        throw error;
      });
    }
    const record = () => call(http, issueGet, { repo, index: args.issue });
    const where = position === undefined ? "" : ` at ${position}`;
    const done = `Pinned issue ${name}${where} ${accountLabel(server)}`;
    await out.done(unchanged ? `Issue ${name} is already pinned` : done, { record, unchanged });
  },
});

/** The servers store any position, also one past the end (docs/server-differences.md, "Issues"). */
async function checkPosition(position: number, number: number, { http, repo }: RepositoryContext): Promise<void> {
  const pinned = await collect(call(http, issuePinnedList, { repo }));
  const last = pinned.some((one) => one.number === number) ? pinned.length : pinned.length + 1;
  if (position <= last) return;
  throw new Failure("invalid", `Invalid position ${position}: the last one is ${last}`);
}

/** Returns if the issue is pinned already. Throws why it cannot be pinned: the servers answer 500. */
async function requirePinned(number: number, context: RepositoryContext, error: ServerError): Promise<void> {
  const { http, repo } = context;
  const found = await call(http, issueGet, { repo, index: number });
  if ((found.pin_order ?? 0) > 0) return;
  const allowed = await call(http, pinAllowedGet, { repo });
  if (found.pull_request == null ? allowed.issues : allowed.pull_requests) throw error;
  const message = `Cannot pin ${issueName(repo, number)}: the maximum number of pins is reached`;
  throw new Failure("too_many_pins", message, {
    hint: `List the pinned issues (tongs issue pinned), then run: ${commandIn(context, "tongs issue unpin NUMBER")}`,
    cause: error,
  });
}
