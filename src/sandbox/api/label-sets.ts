import type { LabelRecord } from "../state/labels.ts";
import type { Store } from "../state/store.ts";

type LabelText = Pick<LabelRecord, "name" | "color" | "description"> & { readonly exclusive?: boolean };

/** The sets of labels that a new repository can start with. */
export const labelSets: Readonly<Record<string, readonly LabelText[]>> = {
  Default: [
    { name: "bug", color: "ee0701", description: "Something is not working" },
    { name: "duplicate", color: "cccccc", description: "This issue or pull request already exists" },
    { name: "enhancement", color: "84b6eb", description: "New feature" },
    { name: "help wanted", color: "128a0c", description: "Need some help" },
    { name: "invalid", color: "e6e6e6", description: "Something is wrong" },
    { name: "question", color: "cc317c", description: "More information is needed" },
    { name: "wontfix", color: "ffffff", description: "This will not be fixed" },
  ],
  Advanced: [
    { name: "Kind/Bug", color: "ee0701", description: "Something is not working" },
    { name: "Kind/Feature", color: "0288d1", description: "New functionality" },
    { name: "Priority/High", color: "d93f0b", description: "The priority is high", exclusive: true },
    { name: "Priority/Low", color: "4caf50", description: "The priority is low", exclusive: true },
  ],
};

export function newLabel(
  store: Store,
  given: Partial<LabelRecord> & { readonly name: string; readonly color: string },
): LabelRecord {
  const id = store.nextId("labels");
  const none = { repoId: 0, orgId: 0, description: "", exclusive: false, is_archived: false };
  return store.table("labels").put(id, { id, ...none, ...given });
}
