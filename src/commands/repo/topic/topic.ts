import type { Command } from "../../../app/define.ts";
import { inRepository, resource } from "../../../app/resource.ts";
import { Unchanged, unlessDone } from "../../../app/result.ts";
import { repoPage } from "../../../app/web.ts";
import type { Table } from "../../../command/table.ts";
import { call } from "../../../forge/operation.ts";
import { repoGet } from "../../../forge/repos.ts";
import { topicAdd, topicList, topicRemove } from "../../../forge/topics.ts";
import { InvalidError, NotFoundError } from "../../../http/errors.ts";
import { wordColumn } from "../../../output/table.ts";
import { fullName } from "../../../repo/repo-name.ts";
import { string } from "../../../shape/shape.ts";
import { repoArgument } from "../arguments.ts";

const topics = resource({
  ...inRepository,
  noun: ["topic", "topics"],
  a: "a topic",
  record: string,
  argument: { key: "topic", one: "topic", many: "topics" },
  // As servers store them.
  target: () => (topic) => topic.toLowerCase(),
  name: (topic: string) => `topic ${topic}`,
});

/** The verbs of `tongs repo topic`. */
export const verbs: Table<Command> = {
  list: topics.list({
    summary: "List the topics of a repository",
    args: { repo: repoArgument },
    columns: [wordColumn("TOPIC")],
    fetch: ({ http, repo }) => call(http, topicList, { repo }),
    page: ({ repo }) => repoPage(repo),
    examples: [["List the topics", "tongs repo topic list mara/harbor"]],
  }),
  add: topics.each({
    verb: ["add", "added"],
    summary: "Add topics to a repository",
    details: "Topics are stored in lower case. To replace all topics, use: tongs repo edit --topic",
    leavesNothing: true,
    // One at a time: the server stores them together.
    jobs: 1,
    work: (topic, { http, repo }) => call(http, topicAdd, { repo, topic }).catch(explain(topic)),
    examples: [["Add two topics", "tongs repo topic add sailing tides"]],
  }),
  remove: topics.each({
    verb: ["remove", "removed"],
    summary: "Remove topics from a repository",
    leavesNothing: true,
    jobs: 1,
    work: (topic, { http, repo }) =>
      unlessDone(
        call(http, topicRemove, { repo, topic }).catch(explain(topic)),
        NotFoundError,
        async () => (await call(http, repoGet, { repo })) !== undefined,
        new Unchanged(`${topic} is not a topic of ${fullName(repo)}`),
      ),
    examples: [["Remove a topic", "tongs repo topic remove tides"]],
  }),
};

function explain(topic: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof InvalidError) || !/Topic name is invalid/.test(error.serverMessage)) throw error;
    const hint = "A topic has at most 35 letters, digits, dots and hyphens, and begins with a letter or digit.";
    throw new InvalidError(error.exchange, `'${topic}' is not a valid topic`, hint);
  };
}
