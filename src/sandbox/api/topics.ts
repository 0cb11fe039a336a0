import { topicAdd, topicList, topicRemove, topicsSet } from "../../forge/topics.ts";
import { pageHeaders, pageItems, pageOf } from "../http/paging.ts";
import { empty, json, notFound, Refusal } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";

const asAdmin = { repo: "any", signedIn: true, right: "admin" } as const;
const most = 25;

/** The topics of a repository: lower case, sorted, unique. */
export const topics: Area = {
  routes: [
    route(topicList, { repo: "any" }, (call) => {
      const page = pageOf(call.query);
      const headers = pageHeaders(call, call.repo.topics.length, page, "total");
      return json(200, { topics: pageItems(call.repo.topics, page) }, headers);
    }),
    route(topicsSet, asAdmin, (call) => {
      const wanted = [...new Set((call.body.topics ?? []).map(normalizeTopic))];
      if (wanted.length > most) throw invalid("Exceeding maximum number of topics per repo", null);
      const invalidNames = wanted.filter((topic) => !isTopic(topic));
      if (invalidNames.length > 0) throw invalid("Topic names are invalid", invalidNames);
      return store(call, wanted);
    }),
    route(topicAdd, asAdmin, (call) => {
      const topic = checkTopic(call);
      if (call.repo.topics.length >= most) throw invalid("Exceeding maximum number of topics per repo", null);
      return store(call, [...new Set([...call.repo.topics, topic])]);
    }),
    route(topicRemove, asAdmin, (call) => {
      const topic = checkTopic(call);
      if (!call.repo.topics.includes(topic)) notFound();
      return store(
        call,
        call.repo.topics.filter((one) => one !== topic),
      );
    }),
  ],
};

const normalizeTopic = (topic: string) => topic.trim().toLowerCase();
const isTopic = (topic: string) => topic.length <= 35 && /^[a-z0-9][-.a-z0-9]*$/.test(topic);

function invalid(message: string, invalidTopics: readonly string[] | string | null): Refusal {
  return new Refusal(422, message, { invalidTopics, message });
}

function checkTopic(call: Call<typeof asAdmin>): string {
  const topic = normalizeTopic(call.param("topic"));
  if (!isTopic(topic)) throw invalid("Topic name is invalid", topic);
  return topic;
}

function store({ site, repo }: Call<typeof asAdmin>, wanted: readonly string[]) {
  site.table("repos").put({ ...repo, topics: wanted.toSorted() });
  return empty(204);
}
