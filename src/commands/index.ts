import type { Aliases } from "../command/route.ts";
import { noun, type Table } from "../command/table.ts";

/** Every command: one line each. Nothing is loaded before it is called. */
export const table: Table = {
  pr: noun("Work on pull requests", {
    list: () => import("./pr/list.ts").then((file) => file.list),
    view: () => import("./pr/view.ts").then((file) => file.view),
  }),
};

/** Other spellings, accepted silently where they cannot be misread. */
export const aliases: Aliases = {
  commands: {
    login: "auth login",
    logout: "auth logout",
    "pr update-branch": "pr update",
  },
  verbs: { ls: ["list"], rm: ["delete", "remove"] },
};
