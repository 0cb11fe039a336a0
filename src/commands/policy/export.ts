import { closeSync, existsSync, openSync, rmSync } from "node:fs";
import pMap from "p-map";
import type { ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { yamlText } from "../../app/yaml-file.ts";
import { one } from "../../command/args.ts";
import { names } from "../../command/flags.ts";
import { diskFailure, hasCode } from "../../failure/disk.ts";
import { Failure } from "../../failure/failure.ts";
import { ignoredIn } from "../../forge/branch-protections.ts";
import { DeniedError, UnknownOperationError } from "../../http/errors.ts";
import { fullName } from "../../repo/repo-name.ts";
import { anything, map, optional, record } from "../../shape/shape.ts";
import { fullPath, writeAll } from "../../system/files.ts";
import { kindIn, type SectionName, sectionKinds } from "./kinds/index.ts";
import { type Item, isEmpty, type Kind, listOf, placeOf, sameValue, type Value, type Values } from "./kinds/kind.ts";
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
    const sectionsOf = async (of: SectionName, names: readonly string[]) => {
      const found = await pMap(names, (name) => sectionOf(name, of, { http }, leaveOut), { concurrency: 8 });
      return new Map(names.map((name, index) => [name, found[index] ?? {}]));
    };
    const orgs = orgsOf(flags);
    const own = orgs.length === 0 ? [] : [await sectionsOf("organizations", orgs)];
    const policy = {
      ...withDefaults(await sectionsOf("repositories", repos.map(fullName))),
      ...Object.fromEntries(own.map((sections) => ["organizations", Object.fromEntries(sections)])),
    };
    if (path !== undefined) {
      const text = await yamlText(policy);
      try {
        writeNew(path, text);
      } catch (error) {
        if (hasCode(error, "EEXIST")) throw exists();
        throw diskFailure(error, args.file) ?? error;
      }
      const of = [...orgs, reposText(repos.length)];
      await out.done(
        `Wrote the policy of ${[of.slice(0, -1).join(", "), ...of.slice(-1)].filter(Boolean).join(" and ")}`,
        {
          prints: args.file,
          record: policy,
        },
      );
    } else if (out.records) await out.record(policy, () => ({ fields: [] }));
    else await out.raw(await yamlText(policy));
  },
});

/** Writes a new file, and removes it if it could not be written as a whole. */
function writeNew(path: string, text: string): void {
  const file = openSync(path, "wx");
  let written = false;
  try {
    writeAll(file, Buffer.from(text));
    written = true;
  } finally {
    closeSync(file);
    if (!written) rmSync(path);
  }
}

/** What a file says about a repository or an organization: by kind, then by name. */
type Described = Readonly<Record<string, Values | readonly string[] | Readonly<Record<string, Values>>>>;

/** Everything that exists in a repository or an organization. */
async function sectionOf(
  place: string,
  of: SectionName,
  { http }: Pick<ServerContext, "http">,
  leaveOut: LeaveOut,
): Promise<Described> {
  const all = await pMap(sectionKinds[of], async (name): Promise<[string, Described[string]]> => {
    // Secrets cannot be described without the environment variables that have them.
    if (name === "secrets") return [name, {}];
    const kind = kindIn(of, name);
    const items = await kind.read(placeOf(http, place), undefined).catch((error: unknown): Item[] => {
      // A server has none of what it does not support, and only administrators see the quotas of others.
      const isHidden = error instanceof DeniedError && of === "organizations";
      if (!isHidden && !(error instanceof UnknownOperationError)) throw error;
      leaveOut(name, [error.message, error.hint].filter((part) => part !== undefined).join(". "));
      return [];
    });
    return [name, described(kind, items, (item, ...why) => leaveOut(`${kind.title} '${item}' in ${place}`, ...why))];
  });
  return Object.fromEntries(all.filter(([, value]) => Object.keys(value).length > 0));
}

/** Called for an item that a file cannot describe, such as a collaborator with a permission that cannot be given. */
type LeaveOut = (item: string, why: string, verb?: string) => void;

function described(kind: Kind, items: readonly Item[], leaveOut: LeaveOut): Described[string] {
  // Owners have every repository.
  if (kind.form === "names") return items.filter(({ remove }) => remove !== undefined).map(({ name }) => name);
  const names = new Set<string>();
  const all = items.flatMap((item): [string, Values][] => {
    // The file describes the first one.
    if (names.has(item.name)) {
      leaveOut(kind.shown?.(item.name, item.values) ?? item.name, "another one has the same name");
      return [];
    }
    names.add(item.name);
    const shown = kind.shown?.(item.name, item.values) ?? item.name;
    if (kind.shown !== undefined && kind.shown(item.name, {}) !== item.name) {
      leaveOut(shown, "its address has a secret");
      return [];
    }
    // By its type alone: that of a chat service.
    if (shown !== item.name) leaveOut(shown, "its address can hold a secret", "Wrote");
    const hidden = kind.required?.find((field) => item.values[field] === undefined);
    if (hidden !== undefined) {
      leaveOut(item.name, `the server does not return the ${hidden} that was given`);
      return [];
    }
    try {
      const ignored = [
        ...ignoredIn(kind.without ?? [], item.values, item.values).map(({ field }) => field),
        ...(item.fixed ?? []),
      ];
      const used = Object.entries(item.values).filter(([field, value]) => !isEmpty(value) && !ignored.includes(field));
      // The order of the server says nothing.
      const values = Object.fromEntries(
        used.map(([field, value]) => [field, kind.keeps?.includes(field) === true ? listOf(value).toSorted() : value]),
      );
      const normal = Object.entries(kind.normalize?.(values) ?? values).filter(([, value]) => !isEmpty(value));
      return [[item.name, Object.fromEntries(normal)]];
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      leaveOut(item.name, error.message);
      return [];
    }
  });
  return kind.form === "fields" ? (all[0]?.[1] ?? {}) : Object.fromEntries(all);
}

/** Moves what all repositories share to the defaults. */
function withDefaults(sections: ReadonlyMap<string, Described>) {
  const [first, ...others] = [...sections.values()];
  if (first === undefined || others.length === 0) return { repositories: Object.fromEntries(sections) };
  const defaults = Object.fromEntries(
    Object.entries(first).flatMap(([kind, value]) => {
      const common = shared(
        value,
        others.map((other) => other[kind]),
      );
      return common === undefined || Object.keys(common).length === 0 ? [] : [[kind, common] as const];
    }),
  );
  const repositories = [...sections].map(([name, section]) => {
    const rest = Object.entries(section).map(([kind, value]) => [kind, without(value, defaults[kind])] as const);
    return [name, Object.fromEntries(rest.filter(([, value]) => Object.keys(value).length > 0))] as const;
  });
  return { defaults, repositories: Object.fromEntries(repositories) };
}

/** The part of a kind that all have: the entries that are the same, or the names. */
function shared(value: Described[string], others: readonly (Described[string] | undefined)[]) {
  if (Array.isArray(value))
    return value.filter((name) => others.every((other) => Array.isArray(other) && other.includes(name)));
  const same = Object.entries(value).filter(([key, entry]) =>
    others.every((other) => isSame(entry, entriesOf(other)[key])),
  );
  return Object.fromEntries(same);
}

function without(value: Described[string], common: Described[string] | undefined): Described[string] {
  if (Array.isArray(value)) return value.filter((name) => !(Array.isArray(common) && common.includes(name)));
  return Object.fromEntries(Object.entries(value).filter(([key]) => !Object.hasOwn(entriesOf(common), key)));
}

function entriesOf(value: Described[string] | undefined): Readonly<Record<string, Value | Values>> {
  return value === undefined || Array.isArray(value) ? {} : Object.fromEntries(Object.entries(value));
}

function isSame(one: Value | Values, other: Value | Values | undefined): boolean {
  if (other === undefined || isValue(one) || isValue(other))
    return isValue(one) && other !== undefined && isValue(other) && sameValue(one, other);
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => isSame(one[name] ?? "", other[name]));
}

function isValue(value: Value | Values): value is Value {
  return typeof value !== "object" || Array.isArray(value);
}
