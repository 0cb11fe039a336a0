import { readFileFlag } from "../../../app/input.ts";
import { Literal, parseYaml, type Yaml } from "../../../app/yaml-file.ts";
import { UsageError } from "../../../failure/failure.ts";
import type { System } from "../../../system/system.ts";
import { contextPattern } from "../../../text/glob.ts";
import { nearest } from "../../../text/nearest.ts";
import { checks, type Finding } from "./finding.ts";

/** Which findings a file accepts: patterns of subjects by check. */
export type Accepted = ReadonlyMap<string, readonly string[]>;

/** Reads the findings that are accepted. Throws a usage error with the place for a file that is not such a list. */
export async function readAccepted(file: string, system: System): Promise<Accepted> {
  const { value, place } = await parseYaml(await readFileFlag("FILE", file, system), file === "-" ? "stdin" : file);
  const fail = (at: readonly string[], what: string): never => {
    throw new UsageError(`${place(at) ?? file}: ${[...at, what].join(" ")}`);
  };
  const mapAt = (one: Yaml | undefined, at: readonly string[]): ReadonlyMap<string, Yaml> => {
    if (one === undefined || (one instanceof Literal && one.value === null)) return new Map();
    return one instanceof Map ? one : fail(at, "must be a map");
  };
  const top = mapAt(value, []);
  for (const key of top.keys()) if (key !== "accept") fail([key], "is unknown: the file has only 'accept'");
  const found = new Map<string, readonly string[]>();
  for (const [check, subjects] of mapAt(top.get("accept"), ["accept"])) {
    const at = ["accept", check];
    if (!checks.some((one) => one === check)) {
      const near = nearest(check, checks);
      fail(at, `is unknown${near.length === 0 ? "" : `; did you mean: ${near.join(", ")}?`}`);
    }
    const list: readonly Yaml[] = Array.isArray(subjects) ? subjects : fail(at, "must be a list of names");
    const texts = list.map((one) => (typeof one === "string" ? one : one instanceof Literal ? one.source : ""));
    if (texts.includes("")) fail(at, "must be a list of names");
    found.set(check, texts);
  }
  return found;
}

/** The finding, as accepted if the file has it. */
export function withAccepted(finding: Finding, accepted: Accepted): Finding {
  const patterns = accepted.get(finding.check) ?? [];
  const subject = finding.subject.toLowerCase();
  const isAccepted = patterns.some((pattern) => contextPattern(pattern.toLowerCase())(subject));
  return finding.state === "found" && isAccepted ? { ...finding, state: "accepted" } : finding;
}
