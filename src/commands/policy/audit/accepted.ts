import { CheckedYaml } from "../../../app/checked-yaml.ts";
import { readFileFlag } from "../../../app/input.ts";
import { parseYaml } from "../../../app/yaml-file.ts";
import type { System } from "../../../system/system.ts";
import { contextPattern } from "../../../text/glob.ts";
import { checks, type Finding } from "./finding.ts";

/** Which findings a file accepts: patterns of subjects by check. */
export type Accepted = ReadonlyMap<string, readonly string[]>;

/** Reads the findings that are accepted. Throws a usage error with the place for a file that is not such a list. */
export async function readAccepted(file: string, system: System): Promise<Accepted> {
  const name = file === "-" ? "stdin" : file;
  const { value, find } = await parseYaml(await readFileFlag("FILE", file, system), name);
  const yaml = new CheckedYaml(name, find);
  const accept = yaml.map(yaml.map(value, [], ["accept"]).get("accept"), ["accept"], checks);
  const found = [...accept].map(([check, subjects]) => {
    return [check, yaml.texts(subjects, ["accept", check], "must be a list of names")] as const;
  });
  yaml.check("See: tongs help files");
  return new Map(found);
}

/** The finding, as accepted if the file has it. */
export function withAccepted(finding: Finding, accepted: Accepted): Finding {
  const patterns = accepted.get(finding.check) ?? [];
  const subject = finding.subject.toLowerCase();
  const isAccepted = patterns.some((pattern) => contextPattern(pattern.toLowerCase())(subject));
  return finding.state === "found" && isAccepted ? { ...finding, state: "accepted" } : finding;
}
