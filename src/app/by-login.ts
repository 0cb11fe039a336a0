import { type User, user } from "../forge/users.ts";

/** What the resources of users have alike, whose verbs do not read the records. */
export const byLogin = {
  record: user,
  argument: { key: "user", one: "username", many: "usernames" },
  target: () => (login: string) => ({ login }),
  name: ({ login }: Pick<User, "login">) => login,
} as const;
