import pMap from "p-map";
import type { Manifest } from "../../forge/container-registry.ts";
import type { Package } from "../../forge/packages.ts";
import {
  type Decision,
  decideVersions,
  keep,
  keptByAge,
  keptByPattern,
  newestFirst,
  type PruneRules,
  remove,
  type Verdict,
} from "./prune-rules.ts";

const digestForm = /^sha256:[0-9a-f]{64}$/;
/** The tags of signatures and attestations by the scheme of cosign: `sha256-….sig`. */
const attachedForm = /^sha256-([0-9a-f]{64})(\.|$)/;

/** An untagged manifest without a known age is not younger than this, in milliseconds: parts are pushed before their index. */
const pushTime = 86_400e3;

/** Reads a manifest; undefined if it cannot be read. */
type Read = (version: Package) => Promise<Manifest | undefined>;

/** Whether a version is a manifest without a tag. */
function isUntagged({ version }: Package): boolean {
  return digestForm.test(version);
}

/** A tag of its own, or what can depend on others. */
function firstForm(one: Package): "tag" | "dependent" {
  return isUntagged(one) || attachedForm.test(one.version) ? "dependent" : "tag";
}

/**
 * Decides about the versions of an image. Manifests that a kept one refers to are kept, and so is what is attached to a kept
 * one. If one that is kept cannot be read, what it refers to is not known, and all are kept. Manifests are read only if
 * something could be deleted, or if `explains`: the reason then says what keeps a manifest.
 */
export async function decideImage(
  versions: readonly Package[],
  rules: PruneRules,
  { read, explains }: { readonly read: Read; readonly explains: boolean },
): Promise<Decision[]> {
  const sorted = newestFirst(versions);
  const first = new Map(sorted.map((one) => [one, firstVerdict(one, rules)]));
  const tagged = sorted.filter((one) => first.get(one) === undefined);
  const verdicts = decideVersions(tagged, rules);
  for (const [index, one] of tagged.entries()) first.set(one, verdicts[index]);
  const verdictOf = (one: Package): Verdict => first.get(one) ?? keep("");
  const depends = explains && sorted.some((one) => firstForm(one) === "dependent");
  if (!depends && !sorted.some((one) => verdictOf(one).deletes))
    return sorted.map((version) => ({ ...verdictOf(version), version }));
  const manifests = new Map(await pMap(sorted, async (one) => [one, await read(one)] as const, { concurrency: 8 }));
  return decideByManifests(sorted, verdictOf, manifests);
}

/** Of a manifest without a tag, and of what is attached to another one: undefined for all others. */
function firstVerdict(one: Package, rules: PruneRules): Verdict | undefined {
  if (firstForm(one) === "tag") return undefined;
  const { untagged, olderThan = pushTime, now } = rules;
  if (!untagged) return keptByPattern(one, rules) ?? keep("untagged: pass --untagged to delete it");
  return keptByPattern(one, rules) ?? keptByAge(one, olderThan, now) ?? remove("untagged");
}

type Manifests = ReadonlyMap<Package, Manifest | undefined>;
type Links = Map<Package, Map<Package, string>>;

function decideByManifests(
  sorted: readonly Package[],
  verdictOf: (one: Package) => Verdict,
  manifests: Manifests,
): Decision[] {
  const { digestOf, dependents, referrers } = links(sorted, manifests);
  const kept = new Map<Package, string>();
  for (const one of sorted) {
    const { deletes, reason } = verdictOf(one);
    // A manifest that depends on others is deleted with them, whatever --untagged says.
    const isFree = firstForm(one) === "tag" || !referrers.has(one) || reason.startsWith("matches ");
    if (isFree && !deletes) kept.set(one, reason);
    else if (digestOf(one) === undefined) kept.set(one, "its manifest could not be read");
  }
  // The map grows while it is read: what a kept one needs is kept, too.
  for (const [one] of kept) {
    for (const [other, how] of dependents.get(one) ?? [])
      if (!kept.has(other)) kept.set(other, `${how} ${shortName(one)}`);
  }
  const unknown = [...kept.keys()].find((one) => manifests.get(one) === undefined);
  const ranks = ranksOf(
    sorted.filter((one) => !kept.has(one)),
    referrers,
  );
  return sorted.map((version): Decision => {
    const by = [...(referrers.get(version) ?? [])];
    const reason = kept.get(version);
    const rank = ranks.get(version);
    if (reason !== undefined) return { ...keep(reason), version };
    if (unknown !== undefined) return { ...keep(`the manifest of ${shortName(unknown)} could not be read`), version };
    if (rank === undefined) return { ...keep("it depends on itself"), version };
    const [[one, how] = []] = by;
    const isDependent = firstForm(version) !== "tag" && one !== undefined;
    const why = isDependent ? `${how} ${shortName(one)}, which is deleted` : verdictOf(version).reason;
    return { ...remove(why), version, rank, after: by.map(([referrer]) => referrer) };
  });
}

/** The place of each version: after all that need it. Those in a circle, which only a strange tag can make, have none. */
function ranksOf(versions: readonly Package[], referrers: Links): Map<Package, number> {
  const ranks = new Map<Package, number>();
  for (let [rank, left] = [0, versions]; left.length > 0; rank += 1) {
    const next = left.filter((one) => [...(referrers.get(one)?.keys() ?? [])].every((by) => ranks.has(by)));
    if (next.length === 0) break;
    for (const one of next) ranks.set(one, rank);
    left = left.filter((one) => !ranks.has(one));
  }
  return ranks;
}

/** Which versions need which others: an index its parts; and what is attached to a manifest is of no use without it. */
function links(sorted: readonly Package[], manifests: Manifests) {
  const digestOf = (one: Package) => (isUntagged(one) ? one.version : manifests.get(one)?.digest);
  const byDigest = new Map<string, Package[]>();
  for (const one of sorted) {
    const digest = digestOf(one);
    if (digest !== undefined) byDigest.set(digest, [...(byDigest.get(digest) ?? []), one]);
  }
  const dependents: Links = new Map();
  const referrers: Links = new Map();
  const link = (from: Package, to: Package, how: string) => {
    if (from === to) return;
    dependents.set(from, (dependents.get(from) ?? new Map<Package, string>()).set(to, how));
    referrers.set(to, (referrers.get(to) ?? new Map<Package, string>()).set(from, how));
  };
  for (const one of sorted) {
    const { parts = [], subject } = manifests.get(one) ?? {};
    for (const part of parts) for (const other of byDigest.get(part) ?? []) link(one, other, "part of");
    const [, hash] = attachedForm.exec(one.version) ?? [];
    const to = hash === undefined ? subject : `sha256:${hash}`;
    for (const other of to === undefined ? [] : (byDigest.get(to) ?? [])) link(other, one, "attached to");
  }
  return { digestOf, dependents, referrers };
}

/** `v1.2`, or the beginning of a digest. */
function shortName({ version }: Package): string {
  return digestForm.test(version) ? version.slice(0, 19) : version;
}
