import type { EditUserOption } from "../../../forge/generated/operations.ts";

/** A body with all of its fields. */
export type Filled<T> = { readonly [K in keyof T]-?: Exclude<T[K], undefined> };

export type Visibility = "public" | "limited" | "private";

/**
 * A person or an organization. Both share one name space and one id sequence. Times are RFC 3339. The password is in plain
 * text: the sandbox prints it at startup and stores no real ones.
 */
export interface UserRecord extends Omit<Filled<EditUserOption>, "admin" | "visibility"> {
  readonly id: number;
  readonly kind: "person" | "organization";
  readonly name: string;
  readonly visibility: Visibility;
  readonly is_admin: boolean;
  readonly created: string;
  readonly updated: string;
  /** For organizations: whether a repository administrator may change team access. */
  readonly repo_admin_change_team_access: boolean;
  /** For organizations: the members whose membership is public. */
  readonly public_members?: readonly number[];
  /** Whether the sandbox created the user and prints the credentials at startup. */
  readonly demo?: boolean;
}

/** The user or, with its owner, the repository that a former name redirects to. The name is in lower case. */
export interface Redirect {
  readonly from: string;
  readonly to: number;
}

/** An access token. */
export interface TokenRecord {
  readonly id: number;
  readonly userId: number;
  readonly name: string;
  /** 40 hex digits, in plain text. */
  readonly secret: string;
  /** Normalized; `all` grants everything. */
  readonly scopes: readonly string[];
  readonly created: string;
}

/** An access level, from lowest to highest. */
export type AccessLevel = "none" | "read" | "write" | "admin" | "owner";

/** A team of an organization. The team `Owners` has the permission `owner`. */
export interface TeamRecord {
  readonly id: number;
  readonly orgId: number;
  readonly name: string;
  readonly description: string;
  readonly permission: AccessLevel;
  /** Access level per unit (`repo.code` …) for teams without the permission `admin` or `owner`. */
  readonly units: Readonly<Record<string, AccessLevel>>;
  readonly includes_all_repositories: boolean;
  readonly can_create_org_repo: boolean;
  readonly visibility: string;
  readonly members: readonly number[];
  readonly repos: readonly number[];
}

/** The units of a repository, as the API names them. */
export const unitNames = [
  "repo.code",
  "repo.issues",
  "repo.pulls",
  "repo.releases",
  "repo.wiki",
  "repo.ext_wiki",
  "repo.ext_issues",
  "repo.projects",
  "repo.packages",
  "repo.actions",
] as const;

/** A star. The key is `userId/repoId`. */
export interface StarRecord {
  readonly userId: number;
  readonly repoId: number;
}

/** A follow or a block. The key is `userId/targetId`. */
export interface PairRecord {
  readonly userId: number;
  readonly targetId: number;
}

/** A public key of a user. */
export interface KeyRecord {
  readonly id: number;
  readonly userId: number;
  readonly title: string;
  /** The line of an authorized_keys file. */
  readonly key: string;
  readonly fingerprint: string;
  readonly created: string;
}

/** A badge and the users who have it. The API cannot create badges. */
export interface BadgeRecord {
  readonly id: number;
  readonly slug: string;
  readonly description: string;
  readonly image_url: string;
  readonly holders: readonly number[];
}

/** A version of a package. */
export interface PackageRecord {
  readonly id: number;
  readonly ownerId: number;
  readonly creatorId: number;
  readonly type: string;
  readonly name: string;
  readonly version: string;
  /** The names of the uploaded files, whose contents are not stored. */
  readonly files?: readonly string[];
  readonly created: string;
}

/** A person who is signed in to the pages, in a browser. */
export interface WebSessionRecord {
  /** The value of the cookie, which is the key. */
  readonly id: string;
  readonly userId: number;
  /** What the page that asks for the permission was opened with. */
  readonly asked?: AskedRecord;
}

/** A request for authorization (RFC 6749, section 4.1.1). */
export interface AskedRecord {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly scope: string;
  readonly challenge: string;
  readonly method: string;
}

/** The permission of a person for an application. */
export interface GrantRecord {
  readonly id: number;
  readonly userId: number;
  readonly clientId: string;
  readonly scope: string;
  /** Counts the refresh tokens: only the last one is valid, if the site invalidates them. */
  readonly counter: number;
}

/** An authorization code, which is the key. */
export interface CodeRecord {
  readonly code: string;
  readonly grantId: number;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly method: string;
}

/** An access token or a refresh token, which is the key. */
export interface OAuthTokenRecord {
  readonly secret: string;
  readonly kind: "access" | "refresh";
  readonly grantId: number;
  readonly counter: number;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}
