/** A label of a repository or of an organization; the other id is 0. `color` is six hex digits. */
export interface LabelRecord {
  readonly id: number;
  readonly repoId: number;
  readonly orgId: number;
  readonly name: string;
  readonly color: string;
  readonly description: string;
  readonly exclusive: boolean;
  readonly is_archived: boolean;
}

export interface MilestoneRecord {
  readonly id: number;
  readonly repoId: number;
  readonly title: string;
  readonly description: string;
  readonly state: "open" | "closed";
  readonly created_at: string;
  readonly updated_at: string | null;
  readonly closed_at: string | null;
  readonly due_on: string | null;
}
