import { userByIdSearch } from "../../../forge/account.ts";
import { call } from "../../../forge/operation.ts";
import type { User } from "../../../forge/users.ts";
import type { Http } from "../../../http/client.ts";

/**
 * Why a name is not that of the account that had it: `is another account now (id 69, was 49, which is q41 now)`, or that the
 * account was renamed; `gone` if there is none of its ID any more, nor of the name. Undefined if it is the same account, or if it
 * is not known which one it was. `found` is the user of that name; `way` is what to do about somebody who was renamed.
 */
export async function otherAccount(
  http: Http,
  found: User | undefined,
  id: number | undefined,
  way: string,
): Promise<string | undefined> {
  if (id === undefined || found?.id === id) return undefined;
  const { data } = await call(http, userByIdSearch, { uid: id });
  const renamed = data?.find((user) => user?.id === id)?.login;
  if (found !== undefined) {
    const before = renamed === undefined ? "which is gone" : `which is ${renamed} now`;
    return `is another account now (id ${found.id}, was ${id}, ${before}): nothing was done for either`;
  }
  return renamed === undefined ? "gone" : `was renamed to ${renamed} (id ${id}): ${way}`;
}
