import type { Store } from "./store.ts";

/** A comment on an issue or a pull request. */
export interface CommentRecord {
  readonly id: number;
  readonly repoId: number;
  /** The number. */
  readonly index: number;
  readonly posterId: number;
  readonly body: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Oldest first. */
export function commentsOf(store: Store, repoId: number, index: number): CommentRecord[] {
  return store.table("comments").filter((comment) => comment.repoId === repoId && comment.index === index);
}

export function newComment(
  store: Store,
  now: string,
  given: Pick<CommentRecord, "repoId" | "index" | "posterId" | "body">,
): CommentRecord {
  const id = store.nextId("comments");
  return store.table("comments").put(id, { id, ...given, created_at: now, updated_at: now });
}
