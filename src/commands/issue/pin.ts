import { batch } from "../../app/batch.ts";
import type { RepositoryContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { repoPage } from "../../app/web.ts";
import { integer } from "../../command/flags.ts";
import { Failure } from "../../failure/failure.ts";
import { type Issue, issue, issueGet } from "../../forge/issues.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { issuePin, issuePinMove, issuePinnedList, issueUnpin, pinAllowedGet } from "../../forge/pins.ts";
import { ServerError } from "../../http/errors.ts";
import { accountLabel } from "../../profiles/server.ts";
import { list } from "../../shape/shape.ts";
import { manyIssues, oneIssue, readIssues, targetName } from "./selector.ts";
import { explainDenied, issueColumns, issueName } from "./shared.ts";

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
    await call(http, issuePin, { repo, index: args.issue }).catch(async (error: unknown) => {
      if (error instanceof ServerError) await requirePinned(args.issue, context, error);
      else throw explainDenied(error, `Cannot pin ${name}`, admins);
    });
    if (position !== undefined) {
      await call(http, issuePinMove, { repo, index: args.issue, position }).catch((error: unknown) => {
        out.warn(`Pinned ${name}, but it was not moved`);
        throw error;
      });
    }
    await out.done(`Pinned issue ${name}${position === undefined ? "" : ` at ${position}`} ${accountLabel(server)}`, {
      record: () => call(http, issueGet, { repo, index: args.issue }),
    });
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
async function requirePinned(number: number, { http, repo }: RepositoryContext, error: ServerError): Promise<void> {
  const found = await call(http, issueGet, { repo, index: number });
  if ((found.pin_order ?? 0) > 0) return;
  const allowed = await call(http, pinAllowedGet, { repo });
  if (found.pull_request == null ? allowed.issues : allowed.pull_requests) throw error;
  const message = `Cannot pin ${issueName(repo, number)}: the maximum number of pins is reached`;
  throw new Failure("too_many_pins", message, {
    hint: "List the pinned issues (tongs issue pinned), then run: tongs issue unpin NUMBER",
    cause: error,
  });
}

/** `tongs issue unpin`: DELETE the pin of each issue. */
export const unpin = defineCommand({
  summary: "Unpin issues",
  on: "server",
  effect: "write",
  args: { issue: manyIssues },
  output: list(issue),
  exits: { partly: "some succeeded, some failed" },
  examples: [["Unpin an issue", "tongs issue unpin 12"]],
  async run(context) {
    const { args, http, server } = context;
    return batch(
      await readIssues(args.issue, context),
      async (one) => {
        const name = targetName(one);
        await call(http, issueUnpin, { repo: one.repo, index: one.number }).catch((error: unknown) => {
          throw explainDenied(error, `Cannot unpin ${name}`, admins);
        });
        const message = `Unpinned issue ${name} ${accountLabel(server)}`;
        return { message, record: (): Promise<Issue> => call(http, issueGet, { repo: one.repo, index: one.number }) };
      },
      context,
      { name: targetName },
    );
  },
});

/** `tongs issue pinned`: GET the pinned issues. */
export const pinned = defineCommand({
  summary: "List the pinned issues",
  on: "repository",
  effect: "read",
  lists: ["pinned issue", "pinned issues"],
  output: list(issue),
  examples: [["List the pinned issues", "tongs issue pinned"]],
  web: { page: ({ repo }) => repoPage(repo, "issues") },
  async run({ http, repo, out }) {
    await out.list(call(http, issuePinnedList, { repo }), issueColumns);
  },
});
