import { visibilityOf } from "../../app/columns.ts";
import type { ServerContext } from "../../app/context.ts";
import { choice, type FlagValues, names, text, toggle, yesNo } from "../../command/flags.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import type { Repository } from "../../forge/repos.ts";
import { topicList } from "../../forge/topics.ts";
import type { Listing } from "../../http/pages.ts";
import { parseRepo } from "../../repo/repo-name.ts";
import { inOrder } from "../../system/concurrency.ts";

/** The flags that filter repositories. */
export const repoFilterFlags = {
  fork: toggle("only forks", { filters: true }),
  source: toggle("only repositories that are not forks", { filters: true }),
  archived: yesNo("only archived repositories, or none of them", { filters: true }),
  visibility: choice(["public", "private", "internal"], "filter by visibility", { filters: true }),
  language: text("filter by main language", { short: "l", placeholder: "NAME", filters: true }),
  topic: names("filter by topics", { placeholder: "TOPIC", filters: true }),
};

/** At most one of these can be given. */
export const repoFilterExclusive = [["fork", "source"]] as const;

export type RepoFilters = FlagValues<typeof repoFilterFlags>;

/** How many repositories are asked for their topics at the same time. */
const concurrency = 8;

/** The repositories that match all filters; no server has all of these filters. */
export function filterRepos(
  listing: Listing<Repository>,
  filters: RepoFilters,
  { http }: Pick<ServerContext, "http">,
): Listing<Repository> {
  if (!isFiltered(filters)) return listing;
  const { topic } = filters;
  /** Gitea before 1.23 and Forgejo before 8.0 list no topics. */
  const topicsOf = async ({ topics, full_name }: Repository) =>
    topics ?? (await collect(call(http, topicList, { repo: parseRepo(full_name) })));
  const fits = async (repo: Repository) => {
    if (!hasFields(repo, filters)) return false;
    const has = topic.length === 0 ? [] : await topicsOf(repo);
    return topic.every((name) => has.includes(name.toLowerCase()));
  };
  return {
    total: undefined,
    async *take(limit) {
      let taken = 0;
      const all = listing.take(Number.POSITIVE_INFINITY);
      const tested = inOrder(all, concurrency, async (repo) => ({ repo, isWanted: await fits(repo) }));
      for await (const { repo, isWanted } of tested) {
        if (!isWanted) continue;
        yield repo;
        taken += 1;
        if (taken >= limit) return;
      }
    },
  };
}

/** Whether one of the flags is given. */
export function isFiltered({ fork, source, archived, visibility, language, topic }: RepoFilters): boolean {
  const given = [archived, visibility, language].some((value) => value !== undefined);
  return fork || source || given || topic.length > 0;
}

function hasFields(repo: Repository, { fork, source, archived, visibility, language }: RepoFilters): boolean {
  return (
    (!fork || repo.fork === true) &&
    (!source || repo.fork !== true) &&
    (archived === undefined || (repo.archived === true) === archived) &&
    (visibility === undefined || visibilityOf(repo) === visibility) &&
    (language === undefined || repo.language?.toLowerCase() === language.toLowerCase())
  );
}
