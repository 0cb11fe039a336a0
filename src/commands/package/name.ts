import type { ServerContext } from "../../app/context.ts";
import { currentUser } from "../../app/shared.ts";
import { text } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { latestVersion, type PackageName, type VersionName } from "../../forge/packages.ts";
import { NotFoundError } from "../../http/errors.ts";
import { commandOn, type Server } from "../../profiles/server.ts";
import { percentEncoded } from "../../text/percent.ts";

/** The owner of packages. */
export const ownerFlag = {
  owner: text("user or organization that owns the packages (default: you)", { placeholder: "OWNER" }),
};

/** The owner that `--owner` names, or the signed-in user. */
export async function ownerOf(flags: { readonly owner: string | undefined }, context: ServerContext): Promise<string> {
  return flags.owner ?? (await currentUser(context));
}

/** `generic/charts@1.0.0` */
export function packageLabel({ type, name, version }: Omit<PackageName, "owner"> & { version?: string | undefined }) {
  return `${type}/${name}${version === undefined ? "" : `@${version}`}`;
}

interface Typed {
  readonly type: string;
  readonly name: string;
  readonly version: string | undefined;
}

/**
 * Parses `TYPE/NAME` or `TYPE/NAME@VERSION`; names can contain slashes and begin with `@`, as those of npm. With `type`,
 * the type can be left out. Throws a usage error.
 */
export function parsePackage(typed: string, type?: string): Typed {
  const slash = typed.indexOf("/");
  const hasType = slash > 0 && (type === undefined || typed.slice(0, slash) === type);
  const rest = hasType ? typed.slice(slash + 1) : typed;
  const at = rest.lastIndexOf("@");
  const [name, version] = at > 0 ? [rest.slice(0, at), rest.slice(at + 1)] : [rest, undefined];
  const kind = hasType ? typed.slice(0, slash) : type;
  if (kind === undefined || name === "" || version === "") {
    const form = type === undefined ? "TYPE/NAME or TYPE/NAME@VERSION" : "NAME or NAME@VERSION";
    throw new UsageError(`'${typed}' is not a package: use ${form}`);
  }
  return { type: kind, name, version };
}

/** The package that was typed, which must not have a version. Throws a usage error. */
export function wholePackage(typed: string, owner: string): PackageName {
  const { type, name, version } = parsePackage(typed);
  if (version !== undefined) throw new UsageError(`'${typed}' is a version: pass the package as ${type}/${name}`);
  return { owner, type, name };
}

/** The version that was typed, or else the latest one. Throws a `not_found` failure if the package does not exist. */
export async function findVersion(
  typed: string,
  owner: string,
  { http, server }: ServerContext,
  type?: string,
): Promise<VersionName> {
  const { version, ...of } = parsePackage(typed, type);
  if (version !== undefined) return { owner, ...of, version };
  const latest = await explainPackage(latestVersion(http, { owner, ...of }), { owner, ...of }, server);
  if (latest === undefined) throw missingPackage({ owner, ...of }, server);
  return { owner, ...of, version: latest.version };
}

/** The failure for a package that does not exist. */
export function missingPackage(
  wanted: PackageName & { readonly version?: string | undefined },
  server: Pick<Server, "again">,
): Failure {
  const hint = `To list packages, run: ${commandOn(server, `tongs package list --owner ${wanted.owner}`)}`;
  return new Failure("not_found", `Package ${packageLabel(wanted)} not found in ${wanted.owner}`, { hint });
}

/** Names the package in a 404, whose message is an internal one; an unknown owner is reported as it is. */
export async function explainPackage<T>(
  request: Promise<T>,
  wanted: PackageName & { readonly version?: string | undefined },
  server: Pick<Server, "again">,
): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const { serverMessage } = error;
    // Gitea gives no reason if there is no version at all.
    if (!serverMessage.endsWith("package does not exist") && serverMessage !== "") throw error;
    throw missingPackage(wanted, server);
  }
}

/** The path of the web page of a package, or of a version of it. Names can contain slashes. */
export function packagePage({ owner, type, name, version }: PackageName & { readonly version?: string }): string {
  const parts = [owner, "-", "packages", type, name, ...(version === undefined ? [] : [version])];
  return `/${parts.map(percentEncoded).join("/")}`;
}
