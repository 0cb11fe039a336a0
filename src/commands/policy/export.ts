import { existsSync, rmSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import pMap from "p-map";
import type { ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { yamlText } from "../../app/yaml-file.ts";
import { one } from "../../command/args.ts";
import { names } from "../../command/flags.ts";
import { diskFailure, hasCode } from "../../failure/disk.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { ignoredIn } from "../../forge/setting.ts";
import { DeniedError, NotFoundError, UnknownOperationError } from "../../http/errors.ts";
import { fullName } from "../../repo/repo-name.ts";
import { anything, map, optional, record } from "../../shape/shape.ts";
import { fullPath } from "../../system/files.ts";
import { listed } from "../../text/words.ts";
import { kindIn, type SectionName, sectionKinds } from "./kinds/index.ts";
import { type Item, isEmpty, type Kind, placeOf, type Values } from "./kinds/kind.ts";
import { selectionFlags } from "./plan.ts";
import { reposText } from "./repositories.ts";
import { orgsOf, selectRepos } from "./wanted.ts";

/** `tongs policy export`: writes what exists as a policy file. */
export const exportPolicy = defineCommand({
  summary: "Write the settings of repositories as a policy file",
  details:
    "Settings that all repositories share become the defaults. With --org, also what the organizations have themselves. Secrets are " +
    "not written, nor webhooks with one in their address: add secret_env and data_env " +
    "with the name of an environment variable for each.",
  on: "server",
  effect: "read",
  asTool: "write",
  args: { file: one("file to write, which must not exist", { dash: "stdout", names: "output file" }) },
  flags: { ...selectionFlags, repo: names("these repositories", { short: "R", placeholder: "OWNER/NAME" }) },
  output: record({
    defaults: optional(map(anything)),
    repositories: map(anything),
    organizations: optional(map(anything)),
  }),
  examples: [["Write the settings of an organization", "tongs policy export policy.yml --org tidewater"]],
  async run({ args, flags, http, out, system }) {
    const path = args.file === "-" ? undefined : fullPath(args.file, system);
    const exists = () =>
      new Failure("exists", `${args.file} already exists`, { hint: "Write to another file, or delete it first." });
    if (path !== undefined && existsSync(path)) throw exists();
    const repos = await selectRepos(flags, http);
    const told = new Set<string>();
    const leaveOut = (item: string, why: string, verb = "Left out") => {
      if (!told.has(item)) out.warn(`${verb} ${item}: ${why}`);
      told.add(item);
    };
    const sectionsOf = (of: SectionName, names: readonly string[]) =>
      pMap(names, async (name) => [name, await sectionOf(name, of, { http }, leaveOut)] as const, { concurrency: 8 });
    const orgs = orgsOf(flags);
    const ofOrgs = await sectionsOf("organizations", orgs);
    const ofRepos = await sectionsOf("repositories", repos.map(fullName));
    const shared = sharedBy(ofRepos.map(([, section]) => section));
    const own = (section: Section) => filtered(section, (kind, name) => !Object.hasOwn(shared[kind] ?? {}, name));
    const policy = {
      ...(repos.length < 2 ? {} : { defaults: inFile("repositories", shared) }),
      repositories: Object.fromEntries(ofRepos.map(([name, section]) => [name, inFile("repositories", own(section))])),
      ...(orgs.length === 0
        ? {}
        : { organizations: Object.fromEntries(ofOrgs.map(([name, one]) => [name, inFile("organizations", one)])) }),
    };
    if (path !== undefined) {
      const text = await yamlText(policy);
      try {
        writeFileSync(path, text, { flag: "wx" });
      } catch (error) {
        if (hasCode(error, "EEXIST")) throw exists();
        rmSync(path, { force: true });
        throw diskFailure(error, args.file) ?? error;
      }
      const of = [...orgs, reposText(repos.length)];
      await out.done(`Wrote the policy of ${listed(of)}`, {
        prints: args.file,
        record: policy,
      });
    } else if (out.records) await out.record(policy, () => ({ fields: [] }));
    else await out.raw(await yamlText(policy));
  },
});

/** What a file says about a repository or an organization: by kind, then by the name of an item or a field. */
type Section = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Everything that exists in a repository or an organization. */
async function sectionOf(
  place: string,
  of: SectionName,
  { http }: Pick<ServerContext, "http">,
  leaveOut: LeaveOut,
): Promise<Section> {
  const all = await pMap(sectionKinds[of], async (name): Promise<[string, Section[string]]> => {
    // Secrets cannot be described without the environment variables that have them.
    if (name === "secrets") return [name, {}];
    const kind = kindIn(of, name);
    const items = await kind.read(placeOf(http, place), undefined).catch((error: unknown): Item[] => {
      // A server has none of what it does not support, and only administrators see the quotas of others.
      const isHidden = error instanceof DeniedError && of === "organizations";
      const off = error instanceof NotFoundError ? error.off : undefined;
      if (off !== undefined) leaveOut(`${name} of ${place}`, `${off} are turned off`);
      else if (!isHidden && !(error instanceof UnknownOperationError)) throw error;
      else leaveOut(name, [error.message, error.hint].filter((part) => part !== undefined).join(". "));
      return [];
    });
    return [name, described(kind, items, (item, ...why) => leaveOut(`${kind.title} '${item}' in ${place}`, ...why))];
  });
  return Object.fromEntries(all.filter(([, value]) => Object.keys(value).length > 0));
}

/** Called for an item that a file cannot describe, such as a collaborator with a permission that cannot be given. */
type LeaveOut = (item: string, why: string, verb?: string) => void;

function described(kind: Kind, items: readonly Item[], leaveOut: LeaveOut): Section[string] {
  // Owners have every repository.
  if (kind.form === "names")
    return Object.fromEntries(items.flatMap(({ name, remove }) => (remove ? [[name, {}]] : [])));
  const all = items.flatMap((item, index): [string, Values][] => {
    const { name, values, fixed = [] } = item;
    const shown = kind.shown?.(name, values) ?? name;
    const hidden = kind.required?.find((field) => values[field] === undefined);
    try {
      // The file describes the first one.
      if (items.findIndex((other) => other.name === name) < index)
        throw new UsageError("another one has the same name");
      if (kind.shown !== undefined && kind.shown(name, {}) !== name) throw new UsageError("its address has a secret");
      if (hidden !== undefined) throw new UsageError(`the server does not return the ${hidden} that was given`);
      const ignored = ignoredIn(kind.without ?? [], values, values).map(({ field }) => field);
      const used = Object.entries(values).filter(
        ([field, value]) => !isEmpty(value) && ![...ignored, ...fixed].includes(field),
      );
      // The order of the server says nothing.
      const sorted = used.map(([field, value]) => [field, Array.isArray(value) ? value.toSorted() : value]);
      const normal: Values = Object.fromEntries(sorted);
      const given = Object.entries(kind.normalize?.(normal) ?? normal).filter(([, value]) => !isEmpty(value));
      // By its type alone: that of a chat service.
      if (shown !== name) leaveOut(shown, "its address can hold a secret", "Wrote");
      return [[name, Object.fromEntries(given)]];
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      leaveOut(shown, error.message);
      return [];
    }
  });
  return kind.form === "fields" ? (all[0]?.[1] ?? {}) : Object.fromEntries(all);
}

/** A section as the file has it: kinds that are only names are lists. */
function inFile(of: SectionName, section: Section) {
  const kinds = sectionKinds[of].flatMap((name) => {
    const items = section[name];
    return items === undefined ? [] : [[name, kindIn(of, name).form === "names" ? Object.keys(items) : items]];
  });
  return Object.fromEntries(kinds);
}

/** What all of several sections share. */
function sharedBy([first = {}, ...others]: readonly Section[]): Section {
  if (others.length === 0) return {};
  return filtered(first, (kind, name, value) => others.every((other) => isDeepStrictEqual(other[kind]?.[name], value)));
}

/** The items and fields of a section that are kept. */
function filtered(section: Section, isKept: (kind: string, name: string, value: unknown) => boolean): Section {
  const kinds = Object.entries(section).map(([kind, items]): [string, Section[string]] => {
    return [kind, Object.fromEntries(Object.entries(items).filter(([name, value]) => isKept(kind, name, value)))];
  });
  return Object.fromEntries(kinds.filter(([, items]) => Object.keys(items).length > 0));
}
