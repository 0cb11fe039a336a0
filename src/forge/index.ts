import type { Http } from "../http/client.ts";
import { branches } from "./branches.ts";
import { comments } from "./comments.ts";
import { pulls } from "./pulls.ts";
import { repos } from "./repos.ts";
import { reviews } from "./reviews.ts";
import { statuses } from "./statuses.ts";
import { users } from "./users.ts";

/** Every operation, by area of the API. `http` is there for `tongs api` alone. */
export function forgeOn(http: Http) {
  return {
    http,
    branches: branches(http),
    comments: comments(http),
    pulls: pulls(http),
    repos: repos(http),
    reviews: reviews(http),
    statuses: statuses(http),
    users: users(http),
  };
}

export type Forge = ReturnType<typeof forgeOn>;
