import type { View } from "../http/route.ts";
import type { LabelRecord, MilestoneRecord } from "../state/labels.ts";
import { pathOf } from "./paths.ts";

/** `Label`; an organization's label names the organization in its address. */
export function labelWire(view: View, label: LabelRecord): Record<string, unknown> {
  const { store } = view.site;
  const repo = store.table("repos").get(label.repoId);
  const org = store.table("users").get(label.orgId)?.name ?? "";
  const where = repo ? pathOf(view, repo).api : `${view.site.root}/api/v1/orgs/${org}`;
  const { id, name, exclusive, is_archived, color, description } = label;
  return { id, name, exclusive, is_archived, color, description, url: `${where}/labels/${id}` };
}

/** `Milestone`, with the counts that the areas of issues and pull requests give. */
export function milestoneWire({ site }: View, milestone: MilestoneRecord): Record<string, unknown> {
  const { id, title, description, state, created_at, updated_at, closed_at, due_on } = milestone;
  const counts = site.areas.map((area) => area.milestoneCounts?.(site, milestone) ?? { open: 0, closed: 0 });
  const sum = (key: "open" | "closed") => counts.reduce((total, count) => total + count[key], 0);
  return {
    id,
    title,
    description,
    state,
    open_issues: sum("open"),
    closed_issues: sum("closed"),
    created_at,
    updated_at,
    closed_at,
    due_on,
  };
}
