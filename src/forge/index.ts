import type { Http } from "../http/client.ts";
import { comments } from "./comments.ts";
import { pulls } from "./pulls.ts";
import { repos } from "./repos.ts";
import { users } from "./users.ts";

/** Every operation, by area of the API. `http` is there for `tongs api` alone. */
export function forgeOn(http: Http) {
  return {
    http,
    comments: comments(http),
    pulls: pulls(http),
    repos: repos(http),
    users: users(http),
  };
}

export type Forge = ReturnType<typeof forgeOn>;
