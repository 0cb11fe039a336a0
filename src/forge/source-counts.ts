import { json } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { ifVisible } from "../http/errors.ts";
import { readPage } from "../http/pages.ts";
import { type Path, path, type Query } from "../http/path.ts";
import type { SourceService } from "./import-sources.ts";
import type { Content } from "./repo-contents.ts";

// The lists of GitHub (docs.github.com/rest) and GitLab (docs.gitlab.com/api) of what a migration copies, in all states.

type Service = Exclude<SourceService, "gitea">;
type Lists = Partial<Record<Content, readonly [at: Path, query?: Query]>>;

function listsOf(service: Service, place: string): Lists {
  if (service === "gitlab")
    return {
      branches: [path`/api/v4/projects/${place}/repository/branches`],
      tags: [path`/api/v4/projects/${place}/repository/tags`],
      labels: [path`/api/v4/projects/${place}/labels`],
      milestones: [path`/api/v4/projects/${place}/milestones`],
      releases: [path`/api/v4/projects/${place}/releases`],
      issues: [path`/api/v4/projects/${place}/issues`, { scope: "all" }],
      "pull requests": [path`/api/v4/projects/${place}/merge_requests`, { scope: "all" }],
    };
  const [owner = "", name = ""] = place.split("/");
  return {
    branches: [path`//repos/${owner}/${name}/branches`],
    tags: [path`//repos/${owner}/${name}/tags`],
    labels: [path`//repos/${owner}/${name}/labels`],
    milestones: [path`//repos/${owner}/${name}/milestones`, { state: "all" }],
    releases: [path`//repos/${owner}/${name}/releases`],
    // Pull requests are among them.
    issues: [path`//repos/${owner}/${name}/issues`, { state: "all" }],
    "pull requests": [path`//repos/${owner}/${name}/pulls`, { state: "all" }],
    comments: [path`//repos/${owner}/${name}/issues/comments`],
  };
}

/**
 * How many of something a repository of GitHub or GitLab has; undefined if the server does not say that of a whole repository,
 * or not to the caller. What belongs to issues or pull requests is not there if they are not.
 */
export async function countAtSource(
  http: Http,
  service: Service,
  place: string,
  what: Content,
): Promise<number | undefined> {
  const list = listsOf(service, place)[what];
  const count = (other: Content) => countAtSource(http, service, place, other);
  if (list === undefined) {
    const parents = { comments: ["pull requests", "issues"], "issue comments": ["issues"] } as const;
    const of = await Promise.all(
      (what in parents ? parents[what as keyof typeof parents] : ["pull requests" as const]).map(count),
    );
    if (of.every((number) => number === 0)) return 0;
    return what === "issue comments" && (await count("comments")) === 0 ? 0 : undefined;
  }
  const total = await totalOf(http, service, ...list);
  if (service === "gitlab" || what !== "issues" || total === undefined) return total;
  const among = await count("pull requests");
  return among === undefined ? undefined : total - among;
}

/** GitHub says how many pages there are, GitLab how many records, unless there are more than 10,000. */
async function totalOf(http: Http, service: Service, at: Path, query: Query = {}): Promise<number | undefined> {
  const answered = await ifVisible(http.send("GET", at, { query: { ...query, per_page: 1 }, answers: json() }));
  if (answered === undefined) return undefined;
  const total = answered.headers["x-total"] ?? "";
  if (service === "gitlab") return /^\d+$/.test(total) ? Number(total) : undefined;
  const { items, last = 0, next } = readPage(answered, undefined);
  if (last > 0) return last;
  return next ? undefined : items.length;
}
