import { batch } from "../../../app/batch.ts";
import { defineCommand } from "../../../app/define.ts";
import { readTargets } from "../../../app/input.ts";
import { many } from "../../../command/args.ts";
import { call } from "../../../forge/operation.ts";
import { topicAdd, topicRemove } from "../../../forge/topics.ts";
import { InvalidError } from "../../../http/errors.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { fullName } from "../../../repo/repo-name.ts";

const args = { topic: many("topics; - reads them from stdin, one per line") };

/** `tongs repo topic add`: PUT each topic. One at a time: the server stores them together. */
export const add = defineCommand({
  summary: "Add topics to a repository",
  details: "Topics are stored in lower case. To replace all topics, use: tongs repo edit --topic",
  on: "repository",
  effect: "write",
  args,
  exits: { partly: "some topics were added, some failed" },
  examples: [["Add two topics", "tongs repo topic add sailing tides"]],
  async run(context) {
    const { http, repo, server, system } = context;
    const work = async (topic: string) => {
      await call(http, topicAdd, { repo, topic }).catch((error: unknown) => {
        throw explain(error, topic);
      });
      return { message: `Added topic ${topic} to ${fullName(repo)} ${accountLabel(server)}` };
    };
    return batch(await readTargets(context.args.topic, system), work, context, { jobs: 1 });
  },
});

/** `tongs repo topic remove`: DELETE each topic. */
export const remove = defineCommand({
  summary: "Remove topics from a repository",
  on: "repository",
  effect: "write",
  args,
  exits: { partly: "some topics were removed, some failed" },
  examples: [["Remove a topic", "tongs repo topic remove tides"]],
  async run(context) {
    const { http, repo, server, system } = context;
    const work = async (topic: string) => {
      await call(http, topicRemove, { repo, topic }).catch((error: unknown) => {
        throw explain(error, topic);
      });
      return { message: `Removed topic ${topic} from ${fullName(repo)} ${accountLabel(server)}` };
    };
    return batch(await readTargets(context.args.topic, system), work, context, { jobs: 1 });
  },
});

function explain(error: unknown, topic: string): unknown {
  if (!(error instanceof InvalidError) || !/Topic name is invalid/.test(error.serverMessage)) return error;
  const hint = "A topic has at most 35 letters, digits, dots and hyphens, and begins with a letter or digit.";
  return new InvalidError(error.exchange, `'${topic}' is not a valid topic`, hint);
}
