import { newRunner } from "../actions/runners.ts";
import { startRun } from "../actions/runs.ts";
import { workflowsAt } from "../actions/workflow-file.ts";
import { branchTip } from "../git/refs.ts";
import type { Area } from "../site.ts";
import { repoAt } from "../state/repos.ts";
import { member } from "./seed.ts";

const hour = 3_600_000;

/** The demonstration's runner, and two finished runs of its CI: one went well, one ran into a storm. */
export const demoRuns: Area = {
  routes: [],
  async demo(site) {
    newRunner(site, { name: "dock-1", labels: ["ubuntu-latest"] });
    const found = repoAt(site.store, "mara", "harbor");
    const sha = found && (await branchTip(site, found, "main"));
    if (found === undefined || sha === undefined) throw new Error("the demonstration has no harbor");
    const harbor = { ...found, units: { ...found.units, has_actions: true } };
    site.store.table("repos").put(harbor.id, harbor);
    const ci = (await workflowsAt(site, harbor, sha)).find(({ file }) => file === "ci.yml");
    if (ci === undefined) throw new Error("the demonstration has no ci.yml");
    const ref = "refs/heads/main";
    const at = (hours: number) => site.clock() - hours * hour;
    await startRun(site, harbor, member(site, "mara"), ci, { event: "push", ref, sha, at: at(5) });
    const storm = { event: "workflow_dispatch", ref, sha, inputs: { storm: true, depth: "7" }, at: at(2) };
    await startRun(site, harbor, member(site, "jonas"), ci, storm);
  },
};
