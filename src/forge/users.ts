import { json } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { User } from "./records/user.ts";

/** Accounts as everybody sees them. */
export const users = (http: Http) => ({
  /** Who the credentials belong to. */
  me: () => http.get(path`/user`, { answers: json<User>() }),

  /** An organization's name is answered with a user record, too. */
  get: (name: string) => http.get(path`/users/${name}`, { answers: json<User>() }),
});
