import type { Command } from "../../app/define.ts";
import type { Table } from "../../command/table.ts";

/** The verbs of `tongs auth`. */
export const verbs: Table<Command> = {
  login: () => import("./login.ts").then((file) => file.login),
  status: () => import("./status.ts").then((file) => file.status),
  token: () => import("./token.ts").then((file) => file.token),
  logout: () => import("./logout.ts").then((file) => file.logout),
  refresh: () => import("./refresh.ts").then((file) => file.refresh),
  switch: () => import("./switch.ts").then((file) => file.switchAccount),
  "setup-git": () => import("./setup-git.ts").then((file) => file.setupGit),
  "git-credential": () => import("./git-credential.ts").then((file) => file.gitCredential),
};
