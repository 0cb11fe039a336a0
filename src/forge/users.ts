import { json, yesNo } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { DeniedError } from "../http/errors/denied-error.ts";
import { path } from "../http/path.ts";
import type { Organization } from "./records/organization.ts";
import type { Package } from "./records/package.ts";
import type { PublicKey } from "./records/public-key.ts";
import type { User } from "./records/user.ts";

/** Accounts as everybody sees them. */
export const users = (http: Http) => ({
  /** Who the credentials belong to. */
  me: () => http.get(path`/user`, { answers: json<User>() }),

  /** An organization's name is answered with a user record, too. */
  get: (name: string) => http.get(path`/users/${name}`, { answers: json<User>() }),

  /**
   * The administrator's operations on users take an organization's name, too, and change it. False also where the token
   * may not ask.
   */
  isOrganization: (name: string) =>
    http.get(path`/orgs/${name}`, { answers: yesNo }).catch((error: unknown) => {
      if (error instanceof DeniedError) return false;
      throw error;
    }),

  keys: (name: string) => http.list<PublicKey>(path`/users/${name}/keys`, { unique: "id" }),

  organizations: (name: string) => http.list<Organization>(path`/users/${name}/orgs`, { unique: "id" }),

  packages: (name: string) => http.list<Package>(path`/packages/${name}`, { unique: "id" }),
});
