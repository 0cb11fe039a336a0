import { startRun } from "../actions/runs.ts";
import { newRunner } from "../actions/schedule.ts";
import { workflowsAt } from "../actions/workflow-file.ts";
import { branchTip } from "../git/refs.ts";
import type { Area } from "../http/route.ts";
import { repoAt } from "../state/repos.ts";
import { demoUser } from "./seed.ts";

/** The workflow of the demo project. Its log has a group, colors, annotations and an unsafe control sequence. */
export const ciWorkflow = `name: CI
on:
  push:
    branches: [main]
  pull_request:
  workflow_dispatch:
    inputs:
      depth:
        description: Depth to sound, in metres
        required: true
        default: '5'
      storm:
        description: Simulate a broken mooring
        type: boolean
        default: false
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - name: Tide tables
        run: |
          echo "::group::Tide tables"
          printf '\\033[32mhigh\\033[0m 06:12, \\033[34mlow\\033[0m 12:25\\n'
          printf '\\033]0;not a title\\007the bell rings\\n'
          echo "::warning file=tides.csv,line=3::day 3 is an estimate"
          echo "::endgroup::"
          echo '{"tides":3}' > out/report.json
          echo "# Guide" > out/docs/guide.md
      - name: Upload the report
        uses: actions/upload-artifact@v4
        with:
          name: report
          path: out
  mooring:
    name: Mooring on \${{ matrix.pier }}
    needs: build
    runs-on: ubuntu-latest
    strategy:
      matrix:
        pier: [north, south]
    steps:
      - run: echo "sounding \${{ inputs.depth }} m at the \${{ matrix.pier }} pier"
      - name: Storm
        if: inputs.storm
        run: |
          echo "::error::the line broke"
          exit 3
      - name: Clean up
        if: always()
        run: echo "lines coiled"
`;

const hour = 3_600_000;

/** Creates the runner of the demo project and two finished CI runs: one succeeded, one failed. */
export const demoRuns: Area = {
  routes: [],
  async demo(site) {
    newRunner(site, { name: "dock-1", labels: ["ubuntu-latest"] });
    const found = repoAt(site.store, "mara", "harbor");
    const sha = found && (await branchTip(site, found, "main"));
    if (found === undefined || sha === undefined) throw new Error("the demo repository does not exist");
    const harbor = { ...found, units: { ...found.units, has_actions: true } };
    site.table("repos").put(harbor);
    const ci = (await workflowsAt(site, harbor, sha)).find(({ file }) => file === "ci.yml");
    if (ci === undefined) throw new Error("the demo workflow does not exist");
    const ref = "refs/heads/main";
    const at = (hours: number) => site.clock() - hours * hour;
    await startRun(site, harbor, demoUser(site, "mara"), ci, { event: "push", ref, sha, at: at(5) });
    const storm = { event: "workflow_dispatch", ref, sha, inputs: { storm: true, depth: "7" }, at: at(2) };
    await startRun(site, harbor, demoUser(site, "jonas"), ci, storm);
  },
};
