import { json, nothing } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { path } from "../http/path.ts";
import type { RepoName } from "../repo/repo-name.ts";
import { type Infer, integer, nullable, optional, serverRecord, string, time, words } from "../shape/shape.ts";
import { onItsDay } from "./due-dates.ts";

/** A milestone of a repository. */
export const milestone = serverRecord(
  "a milestone",
  {
    id: integer,
    title: optional(string),
    description: optional(string),
    state: optional(words("open", "closed")),
    open_issues: optional(integer),
    closed_issues: optional(integer),
    created_at: optional(time),
    updated_at: optional(nullable(time)),
    closed_at: optional(nullable(time)),
    due_on: optional(nullable(time)),
  },
  [
    "id",
    "title",
    "description",
    "state",
    "open_issues",
    "closed_issues",
    "created_at",
    "updated_at",
    "closed_at",
    "due_on",
  ],
);

export type Milestone = Infer<typeof milestone>;

/** The settings of a milestone. */
export interface MilestoneOption {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly state?: "open" | "closed" | undefined;
  /** RFC 3339; null removes the due date, and absent keeps it. */
  readonly due_on?: string | null | undefined;
}

/** Where Forgejo stores that there is no due date (docs/server-differences.md, "Labels and milestones"). */
const never = "9999-12-31T23:59:59Z";

/** Milestones of a repository. Scope `issue`. */
export function milestonesApi(http: Http) {
  const one = (repo: RepoName, id: number) => path`/repos/${repo.owner}/${repo.name}/milestones/${id}`;
  const patch = (repo: RepoName, id: number, body: MilestoneOption) =>
    http.patch(one(repo, id), { body, answers: json(milestone) });

  return {
    /** Always sends the state, because the default differs. `name` matches a part of the title. */
    list: (repo: RepoName, state: "open" | "closed" | "all", name?: string) =>
      http.list(path`/repos/${repo.owner}/${repo.name}/milestones`, {
        items: milestone,
        query: { state, name },
        unique: "id",
      }),

    create: async (repo: RepoName, body: MilestoneOption & { readonly title: string }) => {
      const all = path`/repos/${repo.owner}/${repo.name}/milestones`;
      const made = await http.post(all, { body, answers: json(milestone) });
      return onItsDay(made, body.due_on, made.due_on, (due_on) => patch(repo, made.id, { due_on }));
    },

    /**
     * Edits a milestone. Gitea clears a due date that is not sent, Forgejo keeps it, so the present one is always sent,
     * and one that stays is removed by a date that means none (docs/server-differences.md, "Labels and milestones").
     */
    edit: async (repo: RepoName, { id, due_on: present }: Milestone, body: MilestoneOption) => {
      const due_on = body.due_on === undefined ? (present ?? undefined) : (body.due_on ?? undefined);
      const edited = await patch(repo, id, { ...body, due_on });
      if (body.due_on === null && edited.due_on != null) return patch(repo, id, { due_on: never });
      return onItsDay(edited, due_on, edited.due_on, (corrected) => patch(repo, id, { due_on: corrected }));
    },

    delete: (repo: RepoName, id: number) => http.delete(one(repo, id), { answers: nothing }),
  };
}
