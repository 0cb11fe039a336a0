import { nothing, yesNo } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import { user } from "./users.ts";

/** Follows. Scope `user`; lists contain only the users that the caller can see. */
export function followsApi(http: Http) {
  return {
    mine: () => http.list(path`/user/following`, { items: user, unique: "id" }),

    ofUser: (login: string) => http.list(path`/users/${login}/following`, { items: user, unique: "id" }),

    myFollowers: () => http.list(path`/user/followers`, { items: user, unique: "id" }),

    followersOf: (login: string) => http.list(path`/users/${login}/followers`, { items: user, unique: "id" }),

    check: (target: string) => http.get(path`/user/following/${target}`, { answers: yesNo }),

    checkBy: (user: string, target: string) => http.get(path`/users/${user}/following/${target}`, { answers: yesNo }),

    add: (user: string) => http.put(path`/user/following/${user}`, { answers: nothing }),

    remove: (user: string) => http.delete(path`/user/following/${user}`, { answers: nothing }),
  };
}
