import { refuse } from "../http/refusal.ts";
import { openDependencies } from "../pulls/judge.ts";
import type { Site } from "../site.ts";
import { type IssueRecord, saveIssue } from "../state/issues.ts";
import { timestamp } from "../wire/times.ts";

/** An issue with some fields changed now. */
export function changed<T extends IssueRecord>(site: Site, issue: T, fields: Partial<T>): T {
  return { ...issue, ...fields, updated_at: site.now() };
}

/** The last second of a day, where the time was given from. */
export function endOfDay(time: string): string {
  const zone = /(Z|[+-]\d\d:\d\d)$/.exec(time)?.[0] ?? "Z";
  return timestamp(`${time.slice(0, 10)}T23:59:59${zone}`);
}

/** Closes an issue or a pull request; 412 while something that it depends on is open. Closing twice is no error. */
export function closeChecked<T extends IssueRecord>(site: Site, issue: T): T {
  if (issue.state === "closed") return issue;
  if (openDependencies(site, issue).length > 0) {
    refuse(412, "cannot close this issue or pull request because it still has open dependencies");
  }
  return saveIssue(site.store, { ...issue, state: "closed", closed_at: site.now(), updated_at: site.now() });
}
