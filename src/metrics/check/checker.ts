import type { DecoderOptions } from "../decode/decoder.ts";
import type { Series } from "../decode/series.ts";
import { type TypesDb, typeSource } from "../encode/types-db.ts";
import { unitOf } from "../plot/units.ts";
import { type Labels, namer, sourceKey } from "../reading/identity.ts";
import { intervalOf } from "../reading/moments.ts";
import type { NamesLike } from "../reading/names-like.ts";
import { createMeters } from "../series/meters.ts";
import { readValues, type Sample } from "../series/samples.ts";
import type { Checked } from "./plugin-text.ts";
import { createWatched, observe, type Rule, verdictOf, type Watched } from "./watch.ts";

/** What is read, besides the names. */
interface CheckerOptions extends Pick<DecoderOptions, "lenient" | "filter" | "timeRange" | "wanted"> {
  readonly types: TypesDb | undefined;
  readonly now: Date;
}

const severity = { critical: 0, warning: 1, unknown: 2, ok: 3 } as const;

/** Creates a checker for the data sources with these names. */
export function createChecker(rule: Rule, names: NamesLike, { types, now, ...selected }: CheckerOptions) {
  const meters = createMeters();
  const found = new Map<string, Watched>();
  const latest = now.getTime() / 1000;
  let newest = Number.NEGATIVE_INFINITY;

  function sourceOf(reading: Series, labels: Labels): Watched | undefined {
    if (!names.has(labels)) return undefined;
    const { kind } = labels;
    const key = sourceKey(labels);
    const limits = typeSource(types, labels.type, labels.ds_name);
    const known = found.get(key) ?? createWatched({ labels, unit: unitOf(types, labels.type, kind), limits }, meters);
    known.interval = intervalOf(reading.interval);
    found.set(key, known);
    return known;
  }

  function value(one: Watched | undefined, sample: Sample): void {
    // A host whose clock is wrong does not make the others late.
    if (sample.timed && sample.seconds <= latest) newest = Math.max(newest, sample.seconds);
    if (one !== undefined) observe(one, meters, sample, rule, latest);
  }

  /** The data sources with their states, the worst first, else in the order of their names. */
  function checked(): Checked[] {
    const nameOf = namer([...found.values()].map(({ labels }) => labels));
    const all = [...found.values()].map((watched) => ({
      name: nameOf(watched.labels),
      watched,
      ...verdictOf(watched, rule, newest),
    }));
    return all.sort((one, other) => severity[one.state] - severity[other.state] || (one.name < other.name ? -1 : 1));
  }

  return { handle: readValues({ sourceOf, value }, selected), checked };
}
