import { nothing, yesNo } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { User } from "./users.ts";

/** Follows. Scope `user`; lists contain only the users that the caller can see. */
export const follows = (http: Http) => ({
  mine: () => http.list<User>(path`/user/following`, { unique: "id" }),

  ofUser: (user: string) => http.list<User>(path`/users/${user}/following`, { unique: "id" }),

  myFollowers: () => http.list<User>(path`/user/followers`, { unique: "id" }),

  followersOf: (user: string) => http.list<User>(path`/users/${user}/followers`, { unique: "id" }),

  check: (target: string) => http.get(path`/user/following/${target}`, { answers: yesNo }),

  checkBy: (user: string, target: string) => http.get(path`/users/${user}/following/${target}`, { answers: yesNo }),

  add: (user: string) => http.put(path`/user/following/${user}`, { answers: nothing }),

  remove: (user: string) => http.delete(path`/user/following/${user}`, { answers: nothing }),
});
