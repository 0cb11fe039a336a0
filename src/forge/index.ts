import type { Http } from "../http/client.ts";
import { adminUsers } from "./admin-users.ts";
import { branches } from "./branches.ts";
import { comments } from "./comments.ts";
import { follows } from "./follows.ts";
import { hooks } from "./hooks.ts";
import { pulls } from "./pulls.ts";
import { repos } from "./repos.ts";
import { reviews } from "./reviews.ts";
import { stars } from "./stars.ts";
import { statuses } from "./statuses.ts";
import { users } from "./users.ts";

/** Every operation, by area of the API. `http` is there for `tongs api` alone. */
export function forgeOn(http: Http) {
  return {
    http,
    branches: branches(http),
    adminUsers: adminUsers(http),
    comments: comments(http),
    follows: follows(http),
    hooks: hooks(http),
    pulls: pulls(http),
    repos: repos(http),
    reviews: reviews(http),
    statuses: statuses(http),
    stars: stars(http),
    users: users(http),
  };
}

export type Forge = ReturnType<typeof forgeOn>;
