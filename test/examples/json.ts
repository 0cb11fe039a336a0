import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notAsForgejo, ofJson } from "./of-json.ts";
import { type Example, examplesOfNouns, preparations, stageOf } from "./prepare.ts";
import { needsShell } from "./run.ts";

/**
 * Runs an example of each verb with --json. What is printed is held against `tongs schema`, as in every run of a test
 * (test/support/records.ts).
 */
export async function printsJson(product: "gitea" | "forgejo"): Promise<void> {
  const nouns = [...(await examplesOfNouns())].map(([noun, examples]) => [noun, firstOfVerbs(examples)] as const);
  const run = nouns.filter(([, examples]) => examples.length > 0);
  describe.each(run)("the JSON of %s", (noun, examples) => {
    const stage = stageOf(noun, product);
    beforeAll(() => stage.open());
    afterAll(() => stage.close());

    const played = examples.filter(({ name }) => product === "gitea" || !notAsForgejo.has(name));
    it.each(played.map((one) => [inJson(one.line), one] as const))("%s", async (line, example) => {
      const own = ofJson[example.name];
      const { code, stdout, stderr, prepared } = await stage.play(example, { typed: line, ...own });
      if (stderr.includes('"code":"unknown_operation"')) return;
      expect(code, `${line}\n${stdout}${stderr}`).toBe(prepared.code ?? 0);
    });
  });
}

/** One example of each verb that can be run with --json in this process. */
function firstOfVerbs(examples: readonly Example[]): readonly Example[] {
  const first = new Map<string, Example>();
  for (const one of examples) {
    const { line } = { ...one, ...ofJson[one.name] };
    if (!first.has(one.name) && fits(line)) first.set(one.name, { ...one, line });
  }
  return [...first.values()];
}

function fits(line: string): boolean {
  const chooses = / --(json|jq|jsonl|csv|web|format|help|output|plan|dry-run)\b| -w\b/;
  return !needsShell(line) && !chooses.test(line) && !preparations[line]?.inShell;
}

/** The line with --json, before what follows `--`. */
function inJson(line: string): string {
  const [own = "", ...after] = line.split(" -- ");
  return [`${own} --json`, ...after].join(" -- ");
}
