import { batch } from "../../app/batch.ts";
import { defineCommand } from "../../app/define.ts";
import { manyIssues, readIssues, targetName } from "../../app/issue-selector.ts";
import { currentUser } from "../../app/shared.ts";
import { issue, issueGet } from "../../forge/issues.ts";
import { call } from "../../forge/operation.ts";
import { issueSubscribe, issueUnsubscribe } from "../../forge/timeline.ts";
import { accountLabel } from "../../profiles/server.ts";
import { list } from "../../shape/shape.ts";

/** `issue subscribe` and `issue unsubscribe`: PUT or DELETE the caller's subscription to each issue. */
function subscription(verb: "subscribe" | "unsubscribe") {
  const [summary, done] =
    verb === "subscribe"
      ? ["Subscribe to the notifications of issues", "Subscribed to"]
      : ["Unsubscribe from the notifications of issues", "Unsubscribed from"];
  const send = verb === "subscribe" ? issueSubscribe : issueUnsubscribe;
  return defineCommand({
    summary,
    on: "server",
    effect: "write",
    args: { issue: manyIssues },
    output: list(issue),
    exits: { partly: "some succeeded, some failed" },
    examples: [[summary, `tongs issue ${verb} 12 mara/notes#3`]],
    async run(context) {
      const { args, http, server } = context;
      const targets = await readIssues(args.issue, context);
      const login = await currentUser(context);
      return batch(
        targets,
        async (one) => {
          await call(http, send, { repo: one.repo, index: one.number, user: login });
          const message = `${done} issue ${targetName(one)} ${accountLabel(server)}`;
          return { message, record: () => call(http, issueGet, { repo: one.repo, index: one.number }) };
        },
        context,
        { name: targetName },
      );
    },
  });
}

/** `tongs issue subscribe`. */
export const subscribe = subscription("subscribe");

/** `tongs issue unsubscribe`. */
export const unsubscribe = subscription("unsubscribe");
