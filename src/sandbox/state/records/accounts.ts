import type { EditUserOption } from "../../../forge/generated/operations.ts";
import type { SettingValues } from "../../../forge/setting.ts";
import type { teamSettings } from "../../../forge/teams.ts";
import type { Filled, Flags, Numbers, Texts } from "./fields.ts";

export type Visibility = "public" | "limited" | "private";

/**
 * A person or an organization. Both share one name space and one id sequence. Times are RFC 3339. The password is in plain
 * text: the sandbox prints it at startup and stores no real ones.
 */
export interface UserRecord
  extends Omit<Filled<EditUserOption>, "admin" | "visibility">,
    Numbers<"id">,
    Texts<"name" | "created" | "updated">,
    Flags<"is_admin" | "repo_admin_change_team_access"> {
  readonly kind: "person" | "organization";
  readonly visibility: Visibility;
  /** For organizations: the members whose membership is public. */
  readonly public_members?: readonly number[];
  /** Whether the sandbox created the user and prints the credentials at startup. */
  readonly demo?: boolean;
}

/** The user or, with its owner, the repository that a former name redirects to. The name is in lower case. */
export type Redirect = Texts<"from"> & Numbers<"to">;

/** An access token: its secret of 40 hex digits, in plain text, and its scopes, of which `all` grants everything. */
export interface TokenRecord extends Numbers<"id" | "userId">, Texts<"name" | "secret" | "created"> {
  readonly scopes: readonly string[];
}

/** An access level, from lowest to highest. */
export type AccessLevel = "none" | "read" | "write" | "admin" | "owner";

/** A team of an organization. The team `Owners` has the permission `owner`. */
export interface TeamRecord extends Numbers<"id" | "orgId">, Texts<"name">, SettingValues<typeof teamSettings> {
  readonly permission: AccessLevel;
  /** Access level per unit (`repo.code` …) for teams without the permission `admin` or `owner`. */
  readonly units: Readonly<Record<string, AccessLevel>>;
  readonly members: readonly number[];
  readonly repos: readonly number[];
}

/** A star. The key is `userId/repoId`. */
export type StarRecord = Numbers<"userId" | "repoId">;

/** A follow. The key is `userId/targetId`. */
export type PairRecord = Numbers<"userId" | "targetId">;

/** A public key of a user: the line of an authorized_keys file. */
export type KeyRecord = Numbers<"id" | "userId"> & Texts<"title" | "key" | "fingerprint" | "created">;

/**
 * The permission of a person for an application. The counter is of refresh tokens: only the last one is valid, if the site
 * invalidates them.
 */
export type GrantRecord = Numbers<"id" | "userId" | "counter"> & Texts<"clientId" | "scope">;

/** An authorization code, which is the key. */
export type CodeRecord = Numbers<"grantId"> & Texts<"code" | "redirectUri" | "challenge">;

/** An access token or a refresh token, which is the key. It expires in milliseconds since the epoch. */
export interface OAuthTokenRecord extends Numbers<"grantId" | "counter" | "expires">, Texts<"secret"> {
  readonly kind: "access" | "refresh";
}
