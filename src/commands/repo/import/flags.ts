import type { BaseContext, ServerContext } from "../../../app/context.ts";
import { bodyOf } from "../../../app/fields.ts";
import { planFlag } from "../../../app/plan.ts";
import { currentUser } from "../../../app/shared.ts";
import {
  choice,
  type FlagValues,
  inputFile,
  integer,
  isGiven,
  kebab,
  seconds,
  text,
  toggle,
  yesNo,
} from "../../../command/flags.ts";
import { globs } from "../../../command/glob-flag.ts";
import { UsageError } from "../../../failure/failure.ts";
import { addressText, serverAddress } from "../../../profiles/server.ts";
import { refusePassword } from "../arguments.ts";
import { repoFilterFlags } from "../filters.ts";
import { readList } from "./list-file.ts";
import type { ImportSettings } from "./settings.ts";

/** What only some services have, and mirrors never. */
const items = {
  issues: toggle("migrate issues"),
  pullRequests: toggle("migrate pull requests"),
  labels: toggle("migrate labels"),
  milestones: toggle("migrate milestones"),
  releases: toggle("migrate releases"),
};
/** What mirrors have, too. */
const contents = { wiki: toggle("migrate the wikis"), lfs: toggle("migrate LFS files") };

export const importFlags = {
  list: inputFile(
    "import the repositories of a file: an address a line, and after a space the name here; requires --private or --no-private",
  ),
  service: choice(
    ["github", "gitlab", "gitea", "forgejo", "gogs", "onedev", "gitbucket", "codebase", "git"],
    "type of the server of the source; with --list, required for issues, pull requests, labels, milestones and releases",
  ),
  repoOwner: text("owner of the new repositories: an organization (default: you)", {
    placeholder: "OWNER",
  }),
  include: globs("only repositories that match this pattern; with a slash, by their path"),
  exclude: globs("no repositories that match this pattern"),
  fork: yesNo("only forks, or none of them"),
  archived: repoFilterFlags.archived,
  visibility: repoFilterFlags.visibility,
  ...items,
  ...contents,
  allItems: toggle("migrate all of these"),
  mirror: toggle("keep the new repositories mirrors of the source; mirrors have no issues, pull requests and releases"),
  mirrorInterval: text("time between updates of the mirrors: 8h0m0s", { placeholder: "DURATION" }),
  private: yesNo("make the new repositories private (default: as at the source; required with --list)"),
  authTokenFile: inputFile("read the token for the source from a file (default: TONGS_SOURCE_TOKEN)", {
    names: "password",
  }),
  prune: toggle("archive repositories that are not at the source any more"),
  jobs: integer("number of repositories copied at a time (default: 4)", { min: 1, max: 16 }),
  wait: seconds("how long to wait for a copy whose answer was lost (default: 600)"),
  plan: planFlag,
};

type Given = FlagValues<typeof importFlags>;

/** What the flags ask for. Throws a usage error for flags that contradict each other. */
export async function settingsOf(
  from: string | undefined,
  given: Given,
  context: BaseContext & ServerContext,
): Promise<ImportSettings> {
  if ((from === undefined) === (given.list === undefined))
    throw new UsageError(
      "Specify either SOURCE or --list",
      "SOURCE is the address of an owner: https://github.com/acme",
    );
  if (from !== undefined) refusePassword(from, "TONGS_SOURCE_TOKEN or --auth-token-file");
  const service = given.service === "forgejo" ? "gitea" : given.service;
  const source = from === undefined ? undefined : addressText(serverAddress(from));
  if (source !== undefined && service !== undefined && !["github", "gitlab", "gitea"].includes(service))
    throw new UsageError(
      `tongs cannot list the repositories of a ${service} server`,
      "Pass their addresses with --list.",
    );
  if (given.repoOwner?.trim() === "") throw new UsageError("--repo-owner must not be empty");
  checkMirror(given);
  checkList(given, service);
  const all = { ...items, ...contents };
  const named = Object.fromEntries(
    Object.keys(all).map((key) => [key, given.allItems || given[key as keyof typeof all]]),
  );
  const chosen = bodyOf(all, named as FlagValues<typeof all>);
  return {
    ...(source === undefined ? {} : { source }),
    ...(given.list === undefined ? {} : { entries: await readList(given.list, context.system) }),
    ...(service === undefined ? {} : { service }),
    to: given.repoOwner ?? (await currentUser(context)),
    include: given.include,
    exclude: given.exclude,
    ...(given.fork === undefined ? {} : { forks: given.fork }),
    ...(given.archived === undefined ? {} : { archived: given.archived }),
    ...(given.visibility === undefined ? {} : { visibility: given.visibility }),
    items: Object.entries(chosen).flatMap(([name, value]) => (value === true ? [name] : [])),
    mirror: given.mirror,
    ...(given.mirrorInterval === undefined ? {} : { mirror_interval: given.mirrorInterval }),
    ...(given.private === undefined ? {} : { private: given.private }),
  };
}

function checkMirror(given: Given): void {
  if (given.mirrorInterval !== undefined && !given.mirror) throw new UsageError("--mirror-interval requires --mirror");
  if (given.mirrorInterval !== undefined) checkInterval(given.mirrorInterval);
  const pair = [...Object.keys(items), "allItems"].find((key) => given[key as keyof Given] === true);
  if (given.mirror && pair !== undefined)
    throw new UsageError(`--${kebab(pair)} cannot be used with --mirror: mirrors have git content only`);
}

/** Durations are those of Go; servers take 0, and no time that is shorter than a minute, and fail after the copy. */
function checkInterval(interval: string): void {
  const units = { h: 3600, m: 60, s: 1, ms: 1e-3, us: 1e-6, ns: 1e-9 };
  const isDuration = /^(0|(\d+(\.\d+)?(h|ms|m|s|us|ns))+)$/.test(interval);
  const parts = [...interval.matchAll(/([\d.]+)(h|ms|m|s|us|ns)/g)];
  const length = parts.reduce((sum, [, count, unit]) => sum + Number(count) * units[unit as keyof typeof units], 0);
  if (isDuration && (length === 0 || length >= 60)) return;
  const why = isDuration ? "is shorter than a minute" : "is not a duration";
  throw new UsageError(`--mirror-interval: '${interval}' ${why}`, "Pass one such as 8h, 30m or 1h30m; 0 is for none.");
}

function checkList(given: Given, service: string | undefined): void {
  if (given.list === undefined) {
    if (given.private === false)
      throw new UsageError("--no-private needs --list: repositories of an owner are as visible as at the source");
    return;
  }
  const filter = (["include", "exclude", "fork", "archived", "visibility"] as const).find((key) =>
    isGiven(given[key], importFlags[key].form),
  );
  if (filter !== undefined) throw new UsageError(`--${filter} cannot be used with --list`);
  if (given.private === undefined)
    throw new UsageError(
      "--list requires --private or --no-private",
      "An address does not say who may see the repository.",
    );
  const item = [...Object.keys(items), "allItems"].find((key) => given[key as keyof Given] === true);
  if (item !== undefined && (service === undefined || service === "git"))
    throw new UsageError(`--${kebab(item)} requires --service`);
}
