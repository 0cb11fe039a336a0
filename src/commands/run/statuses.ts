/** The states that run lists can be narrowed to (api-facts 1.6). */
export const runStatuses = [
  "queued",
  "waiting",
  "pending",
  "requested",
  "action_required",
  "in_progress",
  "completed",
  "success",
  "failure",
  "cancelled",
  "timed_out",
  "skipped",
  "neutral",
] as const;
