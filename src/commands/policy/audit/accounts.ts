import pMap from "p-map";
import { hookList } from "../../../forge/hooks.ts";
import { userKeyList } from "../../../forge/keys.ts";
import { listUsers } from "../../../forge/list-users.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import { isKnownToHaveOperation } from "../../../forge/server-has.ts";
import { userTokenList } from "../../../forge/tokens.ts";
import { currentUserGet, sentAs, type User } from "../../../forge/users.ts";
import type { Http } from "../../../http/client.ts";
import { DeniedError } from "../../../http/errors.ts";
import { present } from "../../../shape/shape.ts";
import { joinWords } from "../../../text/words.ts";
import { type Ages, aged, type Check, type Finding, found, known, notKnown } from "./finding.ts";
import { plainHook } from "./repositories.ts";

const ofAccounts = ["administrator", "two-factor", "ssh-key", "token", "plain-webhook"] as const;

/** What is found of the accounts of a server (its address), which only administrators can list. */
export async function accountFindings(
  http: Http,
  server: string,
  wanted: ReadonlySet<Check>,
  ages: Ages,
): Promise<{ readonly findings: Finding[]; readonly users: number }> {
  const asked = ofAccounts.filter((check) => wanted.has(check));
  const [first] = asked;
  if (first === undefined) return { findings: [], users: 0 };
  let users: readonly User[] = [];
  const denied = await known(first, server, async () => {
    users = present(await collect(listUsers(http, {})));
    return [];
  });
  const [why] = denied;
  const about = (check: Check) => (check === "plain-webhook" ? "users" : server);
  if (why !== undefined) return { findings: asked.map((check) => notKnown(check, about(check), why.detail)), users: 0 };
  const active = users.filter(canSignIn);
  const results = await Promise.all([
    wanted.has("administrator") ? administrators(users) : [],
    wanted.has("two-factor") ? known("two-factor", server, () => withoutTwoFactors(http, server, active)) : [],
    wanted.has("ssh-key") ? sshKeys(http, active, ages) : [],
    wanted.has("token") ? tokens(http, server, active, ages) : [],
    // Those of users who may not sign in are delivered, too.
    wanted.has("plain-webhook") ? known("plain-webhook", "users", () => userHooks(http, users)) : [],
  ]);
  return { findings: results.flat(), users: users.length };
}

const isAdmin = ({ is_admin }: User) => is_admin === true;

const canSignIn = ({ active, prohibit_login }: User) => active !== false && prohibit_login !== true;

/** Nothing but another administrator mends that somebody is the only one. Blocked ones are administrators once unblocked. */
function administrators(users: readonly User[]): Finding[] {
  const admins = users.filter(isAdmin);
  const isOnly = admins.filter(canSignIn).length === 1;
  return admins.map((user) => {
    const fix = joinWords(["tongs", "user", "edit", user.login, "--no-admin"]);
    if (!canSignIn(user)) return found("administrator", user.login, "administrator of the server, blocked", fix);
    return isOnly
      ? found("administrator", user.login, "the only administrator of the server", null)
      : found("administrator", user.login, "administrator of the server", fix);
  });
}

/** Only the users themselves can mend it: no command does. */
async function withoutTwoFactors(http: Http, server: string, active: readonly User[]): Promise<Finding[]> {
  const [only, ...others] = active.filter(isAdmin);
  const page = `${server.replace(/\/$/, "")}/user/settings/security`;
  const users = present(await collect(listUsers(http, { is_2fa_enabled: false, is_active: true })));
  return users
    .filter((user) => user.prohibit_login !== true)
    .map(({ login }) => {
      const isOnly = others.length === 0 && login === only?.login;
      const what = isOnly ? "the only administrator has no two-factor authentication" : "no two-factor authentication";
      return found("two-factor", login, `${what}: ask for it to be enabled at ${page}`, null);
    });
}

async function sshKeys(http: Http, users: readonly User[], ages: Ages): Promise<Finding[]> {
  const keysOf = ({ login }: User) =>
    known("ssh-key", login, async () => {
      const keys = await collect(call(http, userKeyList, { username: login }));
      return keys.flatMap(({ id, title, created_at: created, last_used_at, updated_at }) => {
        const fix = joinWords(["tongs", "user", "key", "delete", login, String(id)]);
        return aged("ssh-key", `${login}: ${title ?? id}`, { created, used: last_used_at ?? updated_at }, ages, fix);
      });
    });
  return (await pMap(users, keysOf, { concurrency: 8 })).flat();
}

/** Only Forgejo (16.0) lists the tokens of others to an administrator. */
async function tokens(http: Http, server: string, users: readonly User[], ages: Ages): Promise<Finding[]> {
  let isUseSaid = true;
  const tokensOf = ({ login }: User) =>
    known("token", login, async () => {
      const all = await collect(call(http, userTokenList, { username: login }));
      return all.flatMap(({ id, name, created_at: created, last_used_at: used }) => {
        isUseSaid &&= used !== undefined;
        const fix = joinWords(["tongs", "token", "delete", String(id), "--user", login]);
        return aged("token", `${login}: ${name}`, { created, used }, ages, fix);
      });
    });
  const isListed = await isKnownToHaveOperation(http, userTokenList);
  if (!isListed) return [notKnown("token", server, "the server lists tokens only with the password of the user")];
  const findings = (await pMap(users, tokensOf, { concurrency: 8 })).flat();
  if (isUseSaid) return findings;
  return [...findings, notKnown("token", server, "the server does not say when tokens were last used")];
}

/** Users' own webhooks, which servers list only to the user: they are asked as each one. */
async function userHooks(http: Http, users: readonly User[]): Promise<Finding[]> {
  const { login: me } = await call(http, currentUserGet, {});
  const other = users.find(({ login }) => login !== me);
  const isAsked = other === undefined || (await canActAs(other.login, http));
  const hooksOf = ({ login }: User) =>
    known("plain-webhook", login, async () => {
      const isOwn = login === me;
      const all = await collect(call(http, hookList, { level: { of: "user" } }, undefined, isOwn ? {} : sentAs(login)));
      return all.flatMap((hook) => plainHook(hook, login, isOwn ? ["--user"] : ["--user", "--sudo", login]));
    });
  const found = await pMap(isAsked ? users : users.filter(({ login }) => login === me), hooksOf, { concurrency: 8 });
  const why = "webhooks of other users can only be listed by acting as them";
  return [...found.flat(), ...(isAsked ? [] : [notKnown("plain-webhook", "users", why)])];
}

/** Whether the user is an administrator whose token can act as another user, on a server that takes the header. */
async function canActAs(login: string, http: Http): Promise<boolean> {
  try {
    return (await call(http, currentUserGet, {}, undefined, sentAs(login))).login === login;
  } catch (error) {
    if (error instanceof DeniedError) return false;
    throw error;
  }
}
