import { UsageError } from "../failure/failure.ts";
import { answerFacts } from "../forge/generated/answers.ts";
import type { FieldFacts } from "../forge/generated/facts.ts";
import { releases, type Since } from "../forge/generated/since.ts";
import { hasOperation } from "../forge/support.ts";
import { zeroValue } from "./state/records/fields.ts";

/** The release of Gitea or Forgejo that a sandbox behaves like. */
export interface Release {
  readonly product: "gitea" | "forgejo";
  readonly version: string;
}

/** The newest releases that exchanges were recorded from. */
export const newest = { gitea: "1.27", forgejo: "16.0" } as const;

/** The release after all known ones: it has what the newest one has, and more (api/next-release.ts). */
export const next = "99";

/** The newest release of a product, the one of `forgejo@11`, or `forgejo@99`. Throws a UsageError for another one. */
export function parseRelease(text: string): Release {
  const [product, asked] = text.split("@");
  if (product === "gitea" || product === "forgejo") {
    const wanted = asked ?? newest[product];
    const version = [next, ...releases[product]].find((one) => one === wanted || one === `${wanted}.0`);
    if (version !== undefined) return { product, version };
  }
  const all = Object.entries(releases).map(([name, versions]) => `${name}@${[next, ...versions].join(", ")}`);
  throw new UsageError(`Unknown server ${JSON.stringify(text)}`, `Use gitea, forgejo or one of ${all.join("; ")}.`);
}

/** The version that the server of a release reports. */
export const versionOf = ({ product, version }: Release): string =>
  `${version.includes(".") ? version : `${version}.0`}.0+${product === "gitea" ? "tongs-sandbox" : "gitea-1.22.0"}`;

/** Whether a release has something. */
export function isIn({ product, version }: Release, since: Since): boolean {
  if (since[product] === next) return version === next;
  return hasOperation({ product, number: version, isBefore: false }, since) === "yes";
}

/** The fields that a server leaves out where it has no value for them. It sends zero values of all others. */
const optional: Readonly<Record<Release["product"], ReadonlySet<string>>> = {
  gitea: new Set(
    (
      "parent repo_transfer default_target_branch internal_tracker external_tracker external_wiki review_comments additions " +
      "deletions changed_files previous_filename conclusion head_branch head_repository repository_id runner_id runner_name " +
      "actor trigger_actor repository user key_type read_only metadata last_commit_sha last_committer_date last_author_date " +
      "last_commit_message lfs_oid lfs_size"
    ).split(" "),
  ),
  forgejo: new Set("internal_tracker external_tracker external_wiki duration read_only".split(" ")),
};

/** The fields of a record of a response in a release, with the values that they have if none is given. */
function fieldsOf(release: Release, name: string): ReadonlyMap<string, unknown> {
  const key = `${release.product} ${release.version} ${name}`;
  const known = fieldsByRelease.get(key);
  if (known !== undefined) return known;
  const facts = Object.entries(answerFacts[name] ?? {}).filter(([, field]) => isIn(release, sinceOf(field)));
  const isOptional = (field: string) => optional[release.product].has(field);
  const fields = new Map(facts.map(([field, type]) => [field, isOptional(field) ? undefined : zeroValue(type)]));
  fieldsByRelease.set(key, fields);
  return fields;
}

const fieldsByRelease = new Map<string, ReadonlyMap<string, unknown>>();

/** The releases that have a field. */
export const sinceOf = (field: FieldFacts): Since => (typeof field === "string" ? {} : field);

/** A record of a response: the given fields that the release has, the last ones first, and the values of its other fields. */
export function recordOf(
  { release }: { readonly release: Release },
  name: string,
  ...given: readonly object[]
): Record<string, unknown> {
  const all = new Map<string, unknown>(Object.entries(Object.assign({}, ...given)));
  const zeros = fieldsOf(release, name);
  const fields = [...new Set([...all.keys(), ...zeros.keys()])].filter((field) => zeros.has(field));
  return Object.fromEntries(
    fields.map((field) => [field, all.get(field) === undefined ? zeros.get(field) : all.get(field)]),
  );
}
