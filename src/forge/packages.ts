import { Failure } from "../failure/failure.ts";
import { json, nothing, stream } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { DeniedError, InvalidError, NotFoundError, UnknownOperationError } from "../http/errors.ts";
import { type FileToUpload, fileBytes } from "../http/file-upload.ts";
import type { Listing } from "../http/pages.ts";
import { type Path, path } from "../http/path.ts";
import { type Infer, integer, list, nullable, optional, serverRecord, string, time, using } from "../shape/shape.ts";
import { collect, filterListing } from "./listings.ts";
import { repository } from "./repos.ts";
import { person } from "./users.ts";

/** One version of a package. */
export const packageVersion = serverRecord(
  "a package",
  {
    id: integer,
    owner: nullable(person),
    repository: nullable(using(repository, "full_name")),
    creator: nullable(person),
    type: string,
    name: string,
    version: string,
    html_url: string,
    created_at: time,
  },
  ["id", "owner", "repository", "creator", "type", "name", "version", "html_url", "created_at"],
);

export type Package = Infer<typeof packageVersion>;

/** A file of a version. Forgejo spells `size` with a capital letter (docs/server-differences.md, "Packages"). */
export const packageFile = serverRecord(
  "a file of a package",
  {
    id: integer,
    size: optional(integer),
    Size: optional(integer),
    name: string,
    md5: optional(string),
    sha1: optional(string),
    sha256: optional(string),
    sha512: optional(string),
  },
  ["id", "name", "size", "Size", "sha256"],
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

/** Packages of a user or an organization. Scope `package`. */
export function packagesApi(http: Http) {
  const all = ({ owner, type, name }: PackageName): Path => path`/packages/${owner}/${type}/${name}`;
  const one = ({ version, ...of }: VersionName): Path => `${all(of)}${path`/${version}`}` as Path;

  const ofOwner = (
    owner: string,
    query: { readonly type?: string | undefined; readonly q?: string | undefined } = {},
  ) => http.list(path`/packages/${owner}`, { items: packageVersion, query, unique: "id" });

  /** All versions by the list of the owner, for servers without an operation for them. */
  const searched = ({ owner, type, name }: PackageName) =>
    filterListing(ofOwner(owner, { type, q: name }), (found) => found.type === type && found.name === name);

  return {
    /** One record for each version, newest first. */
    ofOwner,

    /** The versions, newest first. */
    versions: (of: PackageName): Listing<Package> =>
      orElse(http.list(all(of), { items: packageVersion, unique: "id" }), searched(of)),

    get: (version: VersionName) => http.get(one(version), { answers: json(packageVersion) }),

    /** The newest version. */
    latest: async (of: PackageName): Promise<Package | undefined> => {
      try {
        return await http.get(`${all(of)}/-/latest` as Path, { answers: json(packageVersion) });
      } catch (error) {
        if (!(error instanceof UnknownOperationError)) throw error;
        const versions = await collect(searched(of));
        return versions.sort((one, other) => other.id - one.id)[0];
      }
    },

    files: (version: VersionName) =>
      http.get(`${one(version)}/files` as Path, { answers: json(nullable(list(packageFile))) }),

    delete: (version: VersionName) => http.delete(one(version), { answers: nothing }),

    /** Deletes all versions; one by one on servers without an operation for it. Returns undefined if there is none. */
    deleteAll: async (of: PackageName): Promise<true | undefined> => {
      try {
        await http.delete(all(of), { answers: nothing });
        return true;
      } catch (error) {
        if (!(error instanceof UnknownOperationError)) throw error;
        const versions = await collect(searched(of));
        for (const { version } of versions) await http.delete(one({ ...of, version }), { answers: nothing });
        return versions.length === 0 ? undefined : true;
      }
    },

    /** Links a package to a repository of its owner. */
    link: (of: PackageName, repo: string) =>
      explainLink(
        http.post(`${all(of)}/-/link${path`/${repo}`}` as Path, { answers: nothing, since: "1.24 and Forgejo 11.0" }),
        `${of.type}/${of.name} is already linked to ${of.owner}/${repo}`,
      ).catch((error: unknown) => {
        if (!(error instanceof NotFoundError) || !/^repository does not exist/.test(error.serverMessage)) throw error;
        const { exchange } = error;
        throw new NotFoundError(exchange, `Repository ${of.owner}/${repo} not found on ${exchange.server}`);
      }),

    unlink: (of: PackageName) =>
      explainLink(
        http.post(`${all(of)}/-/unlink` as Path, { answers: nothing, since: "1.24 and Forgejo 11.0" }),
        `${of.type}/${of.name} is not linked to a repository`,
      ),

    /** Uploads a file to the generic registry, which creates the version. Returns the SHA-256 of what was sent. */
    upload: async (version: VersionName, name: string, from: FileToUpload): Promise<string> => {
      const { raw, sha256 } = fileBytes(from);
      await registry(http.put(packageFilePath(version, name), { raw, answers: nothing }), version.owner);
      return sha256();
    },

    /** Downloads a file from the generic registry. */
    download: (version: VersionName, name: string, headers: Readonly<Record<string, string>>) =>
      registry(http.get(packageFilePath(version, name), { answers: stream, headers }), version.owner),
  };
}

/** A list, or another one if the server does not have the operation of the first. */
function orElse<T>(first: Listing<T>, second: Listing<T>): Listing<T> {
  let used = first;
  return {
    async *take(limit) {
      try {
        yield* first.take(limit);
      } catch (error) {
        if (!(error instanceof UnknownOperationError)) throw error;
        used = second;
        yield* second.take(limit);
      }
    },
    get total() {
      return used.total;
    },
  };
}

/** Says what `invalid argument` means for a link (docs/server-differences.md, "Packages"). */
async function explainLink(request: Promise<undefined>, meaning: string): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!(error instanceof InvalidError) || error.serverMessage !== "invalid argument") throw error;
    throw new InvalidError(error.exchange, meaning);
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
