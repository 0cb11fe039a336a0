import { Failure } from "../failure/failure.ts";
import { stream } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { DeniedError, InvalidError, NotFoundError, UnknownOperationError } from "../http/errors.ts";
import { type FileToUpload, fileBytes } from "../http/file-upload.ts";
import type { Listing } from "../http/pages.ts";
import { type Path, path } from "../http/path.ts";
import { type Infer, integer, list, nullable, optional, serverRecord, string, time, using } from "../shape/shape.ts";
import { collect, filterListing, orIfUnknown } from "./listings.ts";
import { call, operation, pagesOf } from "./operation.ts";
import { repository } from "./repos.ts";
import { cannot } from "./undo.ts";
import { person } from "./users.ts";

/** One version of a package. */
export const packageVersion = serverRecord("a package", {
  id: integer,
  owner: nullable(person),
  repository: nullable(using(repository, "full_name")),
  creator: nullable(person),
  type: string,
  name: string,
  version: string,
  html_url: string,
  created_at: time,
});

export type Package = Infer<typeof packageVersion>;

/** A file of a version. Forgejo spells `size` with a capital letter (docs/server-differences.md, "Packages"). */
export const packageFile = serverRecord(
  "a file of a package",
  { id: integer, size: optional(integer), Size: optional(integer), name: string, sha256: optional(string) },
  { md5: optional(string), sha1: optional(string), sha512: optional(string) },
);

export type PackageFile = Infer<typeof packageFile>;

/** The size of a file in bytes, as either server spells it. */
export function packageFileSize({ size, Size }: PackageFile): number | undefined {
  return size ?? Size;
}

/** A package of an owner. */
export interface PackageName {
  readonly owner: string;
  readonly type: string;
  readonly name: string;
}

/** One version of a package of an owner. */
export interface VersionName extends PackageName {
  readonly version: string;
}

/** The path of a file in the generic registry, which is outside the API. */
export function packageFilePath({ owner, name, version }: VersionName, file: string): Path {
  return path`/api/packages/${owner}/generic/${name}/${version}/${file}`;
}

/** Packages of a user or an organization: one record for each version, newest first. Scope `package`. */
/** The types of packages that a release of Gitea or Forgejo has. */
export const packageTypes = [
  ...(["alpine", "alt", "arch", "cargo", "chef", "composer", "conan", "conda", "container", "cran", "debian"] as const),
  ...([
    "generic",
    "go",
    "helm",
    "maven",
    "npm",
    "nuget",
    "pub",
    "pypi",
    "rpm",
    "rubygems",
    "swift",
    "terraform",
  ] as const),
  "vagrant",
] as const;

export const packageList = operation("GET", "/packages/{owner}", { answers: pagesOf(packageVersion) });

/** The versions, newest first. */
export const packageVersionList = operation("GET", "/packages/{owner}/{type}/{name}", {
  answers: pagesOf(packageVersion),
});

export const packageVersionGet = operation("GET", "/packages/{owner}/{type}/{name}/{version}", {
  answers: packageVersion,
});

export const packageLatestGet = operation("GET", "/packages/{owner}/{type}/{name}/-/latest", {
  answers: packageVersion,
});

export const packageFileList = operation("GET", "/packages/{owner}/{type}/{name}/{version}/files", {
  answers: nullable(list(packageFile)),
});

export const packageVersionDelete = operation("DELETE", "/packages/{owner}/{type}/{name}/{version}");

export const packageDeleteAll = operation("DELETE", "/packages/{owner}/{type}/{name}");

/** Links a package to a repository of its owner. */
export const packageLink = operation("POST", "/packages/{owner}/{type}/{name}/-/link/{repo_name}", {
  undo: "link or unlink the package again instead",
});

export const packageUnlink = operation("POST", "/packages/{owner}/{type}/{name}/-/unlink", {
  undo: "link or unlink the package again instead",
});

/** Uploads a file to the generic registry, which is outside the API and creates the version. */
export const genericFilePut = operation("PUT", "/api/packages/{owner}/generic/{name}/{version}/{file}", {
  web: true,
  undo: cannot.create,
});

/** Downloads a file from the generic registry. */
export const genericFileGet = operation("GET", "/api/packages/{owner}/generic/{name}/{version}/{file}", {
  answers: stream,
  web: true,
});

/** The versions of a package, newest first. */
export function packageVersions(http: Http, { owner, type, name }: PackageName): Listing<Package> {
  const listed = call(http, packageVersionList, { owner, type, name });
  return orIfUnknown(listed, () => searchedVersions(http, { owner, type, name }));
}

/** All versions by the list of the owner, for servers without an operation for them. */
function searchedVersions(http: Http, { owner, type, name }: PackageName): Listing<Package> {
  return filterListing(
    call(http, packageList, { owner, type, q: name }),
    (found) => found.type === type && found.name === name,
  );
}

/** The newest version. */
export async function latestVersion(http: Http, { owner, type, name }: PackageName): Promise<Package | undefined> {
  try {
    return await call(http, packageLatestGet, { owner, type, name });
  } catch (error) {
    if (!(error instanceof UnknownOperationError)) throw error;
    const versions = await collect(searchedVersions(http, { owner, type, name }));
    return versions.sort((one, other) => other.id - one.id)[0];
  }
}

/** Deletes all versions; one by one on servers without an operation for it. Returns undefined if there is none. */
export async function deletePackage(http: Http, { owner, type, name }: PackageName): Promise<true | undefined> {
  try {
    await call(http, packageDeleteAll, { owner, type, name });
    return true;
  } catch (error) {
    if (!(error instanceof UnknownOperationError)) throw error;
    const versions = await collect(searchedVersions(http, { owner, type, name }));
    for (const { version } of versions) await call(http, packageVersionDelete, { owner, type, name, version });
    return versions.length === 0 ? undefined : true;
  }
}

/** Links a package to a repository of its owner. Returns false if it was linked to it before. */
export async function linkPackage(http: Http, target: PackageName, repo: string): Promise<boolean> {
  const { owner, type, name } = target;
  const linked = await isChanged(call(http, packageLink, { owner, type, name, repo_name: repo })).catch(
    (error: unknown) => {
      if (!(error instanceof NotFoundError) || !/^repository does not exist/.test(error.serverMessage)) throw error;
      const { exchange } = error;
      throw new NotFoundError(exchange, `Repository ${owner}/${repo} not found on ${exchange.server}`);
    },
  );
  if (linked) return true;
  const to = (await latestVersion(http, target))?.repository?.full_name;
  if (to?.toLowerCase() === `${owner}/${repo}`.toLowerCase()) return false;
  throw new Failure("invalid", `${type}/${name} is already linked to ${to ?? "a repository"}`, {
    hint: "Unlink it first with: tongs package unlink",
  });
}

/** Unlinks a package from its repository. Returns false if it was linked to none. */
export function unlinkPackage(http: Http, { owner, type, name }: PackageName): Promise<boolean> {
  return isChanged(call(http, packageUnlink, { owner, type, name }));
}

/** Uploads a file to the generic registry, which creates the version. Returns the SHA-256 of what was sent. */
export async function uploadGenericFile(
  http: Http,
  { owner, name, version }: VersionName,
  file: string,
  from: FileToUpload,
): Promise<string> {
  const { raw, sha256 } = fileBytes(from);
  await registry(call(http, genericFilePut, { owner, name, version, file }, undefined, { raw }), owner);
  return sha256();
}

/** Downloads a file from the generic registry. */
export function downloadGenericFile(
  http: Http,
  { owner, name, version }: VersionName,
  file: string,
  headers: Readonly<Record<string, string>>,
) {
  return registry(call(http, genericFileGet, { owner, name, version, file }, undefined, { headers }), owner);
}

/** False if a package was linked, or not linked, already: `invalid argument` (docs/server-differences.md, "Packages"). */
async function isChanged(request: Promise<undefined>): Promise<boolean> {
  try {
    await request;
    return true;
  } catch (error) {
    if (!(error instanceof InvalidError) || error.serverMessage !== "invalid argument") throw error;
    return false;
  }
}

/**
 * Reads the errors of a registry, which are plain text: 404 is not a missing operation, and 401 is also a missing right
 * (docs/server-differences.md, "Packages").
 */
async function registry<T>(request: Promise<T>, owner: string): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof UnknownOperationError && error.serverMessage !== "404 page not found") {
      throw new NotFoundError(error.exchange);
    }
    if (error instanceof DeniedError && error.serverMessage === "reqPackageAccess") {
      const { server } = error.exchange;
      throw new Failure("forbidden", `No access to the packages of ${owner} on ${server}`, {
        hint: "Check that the token has the package scope and that you may write packages of this owner.",
        cause: error,
      });
    }
    throw error;
  }
}
