export type Visibility = "public" | "limited" | "private";

/** A person or an organization: they share names and numbers. Times are RFC 3339. */
export interface UserRecord {
  readonly id: number;
  readonly kind: "person" | "organization";
  readonly name: string;
  readonly full_name: string;
  readonly email: string;
  /** In clear: a sandbox holds no real one, and says them when it starts. */
  readonly password: string;
  readonly login_name: string;
  readonly source_id: number;
  readonly language: string;
  readonly is_admin: boolean;
  readonly created: string;
  readonly updated: string;
  readonly restricted: boolean;
  readonly active: boolean;
  readonly prohibit_login: boolean;
  readonly must_change_password: boolean;
  readonly location: string;
  readonly website: string;
  readonly description: string;
  readonly visibility: Visibility;
  readonly hide_email: boolean;
  readonly hide_activity: boolean;
  readonly theme: string;
  readonly diff_view_style: string;
  readonly max_repo_creation: number;
  readonly allow_git_hook: boolean;
  readonly allow_import_local: boolean;
  readonly allow_create_organization: boolean;
  /** Organizations: whether a repository administrator may change the access of teams. */
  readonly repo_admin_change_team_access: boolean;
  /** Shown once at the start, for people that the sandbox itself made. */
  readonly demo?: boolean;
}

/** Where a name that was given up leads to. */
export interface Redirect {
  readonly to: number;
}

export interface TokenRecord {
  readonly id: number;
  readonly userId: number;
  readonly name: string;
  /** 40 hex digits, in clear. */
  readonly secret: string;
  /** Normalised; `all` for every right. */
  readonly scopes: readonly string[];
  readonly created: string;
}

export type AccessLevel = "none" | "read" | "write" | "admin" | "owner";

/** A team of an organization. The team `Owners` has the right `owner`. */
export interface TeamRecord {
  readonly id: number;
  readonly orgId: number;
  readonly name: string;
  readonly description: string;
  readonly permission: AccessLevel;
  /** Right by unit (`repo.code` …) for teams whose permission is not `admin` or `owner`. */
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

/** A star; the key is `userId/repoId`. */
export interface StarRecord {
  readonly userId: number;
  readonly repoId: number;
}

/** Who follows or blocks whom; the key is `userId/targetId`. */
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

/** A badge, and who has it. The API cannot make any. */
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
  readonly created: string;
}
