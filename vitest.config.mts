import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// Time limits end tests that hang: on a busy machine, a test that takes seconds can take minutes.
const limit = 300_000;
const limits = { testTimeout: limit, hookTimeout: limit, expect: { poll: { timeout: limit / 2 } } };
// Where test files keep for each other what is made once (test/support/shared.ts), and where they have their locks.
const kept = mkdtempSync(join(tmpdir(), "tongs-shared-"));
const env = { TONGS_TEST_SHARED: kept, XDG_STATE_HOME: join(kept, "state") };
// The parser of workflows imports JSON as only bundlers do.
const parser = /node_modules\/@actions\/.*\.js$/;
const server = { deps: { inline: [parser] } };
// Its source maps name files that its package does not have, of which each test file would warn.
const withoutMaps = {
  name: "without-maps",
  load: (id: string) => (parser.test(id) ? readFileSync(id, "utf8").replace(/^\/\/# sourceMappingURL=.*/m, "") : null),
};
const plugins = [withoutMaps];
// Style sheets are read, which the default replaces by nothing. Test files that a worker runs one after another share the
// modules of src: to load them again for each file took a third of the time.
const setupFiles = ["test/support/close-at-end.ts"];
const shared = { environment: "node" as const, css: true, isolate: false, env, server, setupFiles, ...limits };

/** The files that take minutes come first, so that no worker is left with one of them at the end. */
const longest = /\/(forge\/records|examples\/[\w-]+|sandbox\/replay\/replay)\.test\.ts$/;
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => longest.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins,
        test: { ...shared, name: "unit", include: ["test/**/*.test.ts"], exclude: ["test/e2e/**", "test/contract/**"] },
      },
      {
        plugins,
        test: {
          ...shared,
          name: "contract",
          include: ["test/contract/**/*.test.ts"],
          setupFiles: [...setupFiles, "test/contract/sent.ts"],
        },
      },
      { plugins, test: { ...shared, name: "e2e", include: ["test/e2e/**/*.test.ts"] } },
    ],
  },
});
