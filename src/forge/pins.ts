import { boolean, serverRecord } from "../shape/shape.ts";
import type { LockIssueOption } from "./generated/operations.ts";
import { issue } from "./issues.ts";
import { operation, pagesOf } from "./operation.ts";
import { recordHas, undoToggle } from "./undo.ts";

const pinsAllowed = serverRecord("the allowed pins", { issues: boolean, pull_requests: boolean });

/** What is said of a reason for what is locked already: servers keep the one that it has. */
export function lockedBefore(reason: string | undefined): string {
  return reason === undefined ? "locked" : "locked; its reason was not changed: unlock it first";
}

/** The reason of a lock by both of its names: Gitea reads `lock_reason`, Forgejo 17 `reason`. */
export function lockBody(reason: string | undefined): LockIssueOption {
  return { lock_reason: reason, reason };
}

const issuePath = "/repos/{owner}/{repo}/issues/{index}";
const isLocked = recordHas(issuePath, ({ is_locked: locked }) => locked === true);
const isPinned = recordHas(issuePath, ({ pin_order: position }) => Boolean(position));

/** Limits comments to users with write access. Forgejo lacks it before 17 (docs/server-differences.md, "Issues"). */
export const issueLock = operation("PUT", "/repos/{owner}/{repo}/issues/{index}/lock", {
  undo: undoToggle({ state: isLocked }),
});

export const issueUnlock = operation("DELETE", "/repos/{owner}/{repo}/issues/{index}/lock", {
  undo: undoToggle({ state: isLocked, loses: "the reason of the lock" }),
});

/** 500 if the maximum is reached, or on Gitea if it is pinned (docs/server-differences.md, "Issues"). */
export const issuePin = operation("POST", "/repos/{owner}/{repo}/issues/{index}/pin", {
  undo: undoToggle({ state: isPinned }),
});

export const issueUnpin = operation("DELETE", "/repos/{owner}/{repo}/issues/{index}/pin", {
  undo: undoToggle({ by: "POST", state: isPinned }),
});

/** The position must be that of a pinned issue: the servers store any number of 1 and more. */
export const issuePinMove = operation("PATCH", "/repos/{owner}/{repo}/issues/{index}/pin/{position}", {
  undo: "move it back to its previous position instead",
});

/** The pinned issues in their order, without paging. */
export const issuePinnedList = operation("GET", "/repos/{owner}/{repo}/issues/pinned", {
  answers: pagesOf(issue, { unpaged: true }),
});

/** Whether more issues and pull requests can be pinned. */
export const pinAllowedGet = operation("GET", "/repos/{owner}/{repo}/new_pin_allowed", { answers: pinsAllowed });
