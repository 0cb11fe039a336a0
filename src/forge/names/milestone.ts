import type { Forge } from "../index.ts";
import type { Milestone } from "../records/milestone.ts";
import { fullName, type RepoName } from "../repo-name.ts";
import { byName, everything, unknownName } from "./unknown-name.ts";

/** The milestone with this title, an open one first, or with this number (its id, which its address ends in). */
export async function milestoneNamed(forge: Forge, repo: RepoName, typed: string): Promise<Milestone> {
  const all = await everything(forge.milestones.list(repo, "all"));
  const ordered = [...all.filter(({ state }) => state === "open"), ...all.filter(({ state }) => state !== "open")];
  const found =
    byName(ordered, typed, ({ title }) => title) ?? all.find(({ id }) => `${id}` === typed.replace(/^#/, ""));
  if (found !== undefined) return found;
  throw unknownName(
    "milestone",
    [typed],
    ordered.map(({ title }) => title),
    `in ${fullName(repo)}`,
  );
}
