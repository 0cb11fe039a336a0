import { Failure } from "../../failure/failure.ts";
import { displayText } from "../wire/text.ts";
import { dataSource, type Labels, labelsOf, type Named, namer, searchNames, sourceName } from "./identity.ts";
import { wildcard } from "./wildcard.ts";

const maxRemembered = 1000;
const maxShown = 10;

/** Tests for series by wildcard patterns for their names, with and without the host and `:DS`. */
export type NamesLike = ReturnType<typeof namesLike>;

/** Creates the tests; a name must match one of the patterns. */
export function namesLike(patterns: readonly string[]) {
  const tests = patterns.map(wildcard);
  const others = new Map<string, Labels>();
  const matches = (labels: Labels) => searchNames(labels).some((name) => tests.some((test) => test(name)));

  /** Whether the name of a data source matches. If not, it is remembered for the hint of `noneFound`. */
  function has(labels: Labels): boolean {
    if (matches(labels)) return true;
    if (others.size < maxRemembered) others.set(sourceName(labels), labels);
    return false;
  }

  /** Whether a series may have a data source whose name matches, among so many values if it is known. */
  function hasAny(series: Named, count?: number): boolean {
    // Several values without names are called by their numbers, however many there are.
    if (count === undefined && (series.ds_names.length === 0 || series.ds_names.includes(""))) return true;
    const labels = labelsOf(series, 0, 1, "");
    // A value may have no name.
    const numbered = Array.from({ length: count ?? 0 }, (_, index) => dataSource(series, index, count ?? 0));
    return [...series.ds_names, "", ...numbered].some((ds_name) =>
      matches({ ...labels, ds_name: displayText(ds_name) }),
    );
  }

  /** The failure if no data source matched, with the names of some that there are. */
  function noneFound(): Failure {
    const all = [...others.values()];
    const examples = all.map(namer(all)).sort().slice(0, maxShown).join("\n");
    const hint = examples === "" ? undefined : `Available series include:\n${examples}`;
    return new Failure("no_series", `No series matches '${patterns.join("' '")}'`, { hint });
  }

  return { has, hasAny, noneFound };
}
