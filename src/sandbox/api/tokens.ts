import type { CreateAccessTokenOption } from "../../forge/generated/operations.ts";
import { tokenCreate, tokenDelete, tokenGet, tokenList, tokenRevoke } from "../../forge/tokens.ts";
import { collection } from "../http/collection.ts";
import type { Sent } from "../http/form.ts";
import { empty, found, json, refuse } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { includesScope, isPublicOnly, normalizeScopes } from "../http/scopes.ts";
import { zeroTime } from "../http/time.ts";
import { recordOf } from "../release.ts";
import { newToken } from "../state/accounts.ts";
import type { TokenRecord } from "../state/records/accounts.ts";

const read = { user: true, byPassword: true } as const;

/** Access tokens. These operations require basic authentication. */
export const tokens: Area = {
  routes: [
    collection(
      "tokens",
      { read, write: read },
      {
        list: [tokenList, (call) => tokensOf(call).sort(newestFirst)],
        headers: "total",
        find: findToken,
        create: [tokenCreate, create],
        remove: [tokenDelete],
        serialize,
      },
    ),
    route(tokenGet, { signedIn: true }, (call) => {
      const { id, name, scopes, created } = presentedToken(call);
      const user = { id: call.currentUser.id, login: call.currentUser.name };
      return json(200, { id, name, scopes, created_at: created, last_used_at: created, user });
    }),
    route(tokenRevoke, { signedIn: true }, (call) => {
      call.table("tokens").delete(presentedToken(call).id);
      return empty(204);
    }),
  ],
};

const newestFirst = (one: TokenRecord, other: TokenRecord) =>
  other.created.localeCompare(one.created) || one.id - other.id;

function tokensOf({ site, subject }: Call<typeof read>): TokenRecord[] {
  return site.table("tokens").filter((token) => token.userId === subject.id);
}

/** A new token has its secret and no dates, an existing one has dates and no secret. */
function serialize({ method, site }: Call, token: TokenRecord): Record<string, unknown> {
  const isNew = method === "POST";
  const time = isNew ? zeroTime : token.created;
  const { secret } = token;
  const times = { created_at: time, last_used_at: time };
  return recordOf(site, "AccessToken", token, times, { sha1: isNew ? secret : "", token_last_eight: secret.slice(-8) });
}

function create(call: Call<typeof read>, body: Sent<CreateAccessTokenOption>): TokenRecord {
  const { site, subject, token: creator } = call;
  if (tokensOf(call).some(({ name }) => name === body.name)) refuse(400, "access token name has been used already");
  const wanted = normalizeScopes(body.scopes ?? []);
  if ("unknown" in wanted) {
    refuse(400, `invalid access token scope provided: invalid access token scope: ${wanted.unknown}`);
  }
  const { scopes } = wanted;
  if (scopes.length === 0) refuse(400, "access token must have a scope");
  if (creator && !scopes.every((scope) => scope === "public-only" || includesScope(creator.scopes, scope))) {
    refuse(403, "cannot create an access token with a broader scope than the authenticating token");
  }
  const limited = isPublicOnly(creator) && !scopes.includes("public-only") ? ["public-only", ...scopes] : scopes;
  return newToken(site.store, site.now(), { userId: subject.id, name: body.name, scopes: limited });
}

/** Finds a token by name, or by id if the parameter is a number. */
function findToken(call: Call<typeof read>): TokenRecord {
  const [id, text] = [call.number("token"), call.param("token")];
  const token = tokensOf(call).find((one) => (id > 0 ? one.id === id : one.name === text));
  return found(token, id > 0 ? "access token not found" : undefined);
}

function presentedToken({ token, by }: Call): TokenRecord {
  return found(by === "token" ? token : undefined, "invalid access token");
}
