import { byLogin } from "../../app/by-login.ts";
import { userColumns } from "../../app/columns.ts";
import type { Command } from "../../app/define.ts";
import { resource } from "../../app/resource.ts";
import { Unchanged, unlessDone } from "../../app/result.ts";
import type { Table } from "../../command/table.ts";
import { collect } from "../../forge/listings.ts";
import { findByName } from "../../forge/names.ts";
import { call } from "../../forge/operation.ts";
import { type QuotaGroup, quotaGroupUserAdd, quotaGroupUserList, quotaGroupUserRemove } from "../../forge/quotas.ts";
import { userGet } from "../../forge/users.ts";
import type { Http } from "../../http/client.ts";
import { NotFoundError, RefusedError } from "../../http/errors.ts";
import { inGroup } from "./in-group.ts";

const users = resource({
  ...inGroup,
  noun: ["user", "users"],
  a: "a user",
  ...byLogin,
  argument: { ...byLogin.argument, source: "account" },
});

async function isIn({ name }: QuotaGroup, login: string, http: Http): Promise<boolean> {
  const all = await collect(call(http, quotaGroupUserList, { quotagroup: name }));
  return findByName(all, login, (user) => user.login) !== undefined;
}

/** The verbs of `tongs quota group user`. */
export const verbs: Table<Command> = {
  list: users.list({
    summary: "List the users in a quota group",
    needs: [quotaGroupUserList],
    columns: userColumns,
    fetch: ({ http, place }) => call(http, quotaGroupUserList, { quotagroup: place.name }),
    examples: [["List the users in a group", "tongs quota group user list staff"]],
  }),
  add: users.each({
    verb: ["add", "added"],
    summary: "Add users to a quota group",
    needs: [quotaGroupUserAdd],
    leavesNothing: true,
    work({ login }, { http, place }) {
      const write = call(http, quotaGroupUserAdd, { quotagroup: place.name, username: login });
      const unchanged = new Unchanged(`${login} is already in quota group ${place.name}`);
      return unlessDone(write, RefusedError, () => isIn(place, login, http), unchanged);
    },
    examples: [["Add two users", "tongs quota group user add staff jonas priya"]],
  }),
  remove: users.each({
    verb: ["remove", "removed"],
    summary: "Remove users from a quota group",
    needs: [quotaGroupUserRemove],
    leavesNothing: true,
    async work({ login }, { http, place }) {
      const write = call(http, quotaGroupUserRemove, { quotagroup: place.name, username: login });
      const isOut = async () => {
        await call(http, userGet, { username: login });
        return !(await isIn(place, login, http));
      };
      return unlessDone(write, NotFoundError, isOut, new Unchanged(`${login} is not in quota group ${place.name}`));
    },
    examples: [["Remove a user", "tongs quota group user remove staff jonas"]],
  }),
};
