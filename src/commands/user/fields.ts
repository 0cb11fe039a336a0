import type { Settings } from "../../forge/setting.ts";
import { visibilities } from "../../forge/users.ts";
import { boolean, integer, string, words } from "../../shape/shape.ts";

/** The fields that an edit of an account accepts: the flags of create and edit, and columns of an import, are made of them. */
export const accountFields = {
  email: { shape: string, flag: "primary email address", placeholder: "EMAIL" },
  full_name: { shape: string, flag: "full name", placeholder: "NAME" },
  must_change_password: { shape: boolean, flag: "require a password change at the next sign-in" },
  admin: { shape: boolean, flag: "make the user an administrator" },
  active: { shape: boolean, flag: "activate the user" },
  restricted: { shape: boolean, flag: "limit the user to explicitly granted organizations and repositories" },
  prohibit_login: { shape: boolean, flag: "prohibit the user from signing in" },
  visibility: { shape: words(...visibilities), flag: "visibility of the profile" },
  hide_email: { shape: boolean, flag: "hide the email address from other users" },
  website: { shape: string, flag: "website", placeholder: "URL" },
  location: { shape: string, flag: "location" },
  description: { shape: string, flag: "description" },
  max_repo_creation: { shape: integer, flag: "maximum number of repositories (-1 for the server's default)", min: -1 },
  allow_git_hook: { shape: boolean, flag: "allow the user to edit Git hooks" },
  allow_import_local: { shape: boolean, flag: "allow the user to import local repositories" },
  allow_create_organization: { shape: boolean, flag: "allow the user to create organizations" },
  source_id: { shape: integer, flag: "ID of the authentication source (0 is the local one)" },
  login_name: { shape: string, flag: "name at the authentication source", placeholder: "NAME" },
} as const satisfies Settings;
