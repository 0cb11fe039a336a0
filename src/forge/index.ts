import type { Http } from "../http/client.ts";
import { comments } from "./comments.ts";
import { follows } from "./follows.ts";
import { pulls } from "./pulls.ts";
import { repos } from "./repos.ts";
import { stars } from "./stars.ts";
import { users } from "./users.ts";

/** Every operation, by area of the API. `http` is there for `tongs api` alone. */
export function forgeOn(http: Http) {
  return {
    http,
    comments: comments(http),
    follows: follows(http),
    pulls: pulls(http),
    repos: repos(http),
    stars: stars(http),
    users: users(http),
  };
}

export type Forge = ReturnType<typeof forgeOn>;
