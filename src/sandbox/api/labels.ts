import { boolean, form, required, string } from "../http/form.ts";
import { listReply } from "../http/paging.ts";
import { empty, found, json, notFound, refuse } from "../http/reply.ts";
import { type Area, type Call, del, get, patch, post } from "../http/route.ts";
import type { LabelRecord } from "../state/records/repos.ts";
import type { Store } from "../state/store.ts";
import { labelWire } from "../wire/issues.ts";

const rest = {
  description: string("Description"),
  exclusive: boolean("Exclusive"),
  is_archived: boolean("IsArchived"),
};
const createOption = form("CreateLabelOption", {
  name: required(string("Name")),
  color: required(string("Color")),
  ...rest,
});
const editOption = form("EditLabelOption", { name: string("Name"), color: string("Color"), ...rest });

const write = { repo: "any", signedIn: true, right: "write" } as const;
const orgWrite = { org: true, signedIn: true, orgOwner: true } as const;
const repoPath = "/repos/{owner}/{repo}/labels";
const orgPath = "/orgs/{org}/labels";

/** Labels of repositories and organizations. Names need not be unique. */
export const labels: Area = {
  routes: [
    get(repoPath, { repo: "any" }, (call) => list(call, { repoId: call.repo.id })),
    get(orgPath, { org: true }, (call) => list(call, { orgId: call.org.id })),
    post(repoPath, { ...write, body: createOption }, (call) => {
      const label = newLabel(call.site.store, { ...newLabelFields(call.body), repoId: call.repo.id });
      return json(201, labelWire(call, label));
    }),
    post(orgPath, { ...orgWrite, body: createOption }, (call) => {
      const label = newLabel(call.site.store, { ...newLabelFields(call.body), orgId: call.org.id });
      return json(201, labelWire(call, label));
    }),
    get(`${repoPath}/{id}`, { repo: "any" }, (call) =>
      json(200, labelWire(call, findLabel(call, { repoId: call.repo.id }))),
    ),
    get(`${orgPath}/{id}`, { org: true }, (call) =>
      json(200, labelWire(call, findLabel(call, { orgId: call.org.id }))),
    ),
    patch(`${repoPath}/{id}`, { ...write, body: editOption }, (call) =>
      edit(call, findLabel(call, { repoId: call.repo.id }), call.body),
    ),
    patch(`${orgPath}/{id}`, { ...orgWrite, body: editOption }, (call) =>
      edit(call, findLabel(call, { orgId: call.org.id }), call.body),
    ),
    get("/label/templates", {}, () => json(200, Object.keys(labelSets).sort())),
    get("/label/templates/{name}", {}, (call) => {
      const set = found(Object.entries(labelSets).find(([name]) => name === call.param("name"))?.[1]);
      return json(
        200,
        set.map((label) => ({ exclusive: false, ...label })),
      );
    }),
    del(`${repoPath}/{id}`, write, (call) => remove(call, { repoId: call.repo.id })),
    del(`${orgPath}/{id}`, orgWrite, (call) => remove(call, { orgId: call.org.id })),
  ],
};

/** The repository or organization of labels. */
type Of = { readonly repoId: number; readonly orgId?: never } | { readonly orgId: number; readonly repoId?: never };

function labelsOf({ site }: Call, { repoId = 0, orgId = 0 }: Of): LabelRecord[] {
  return site.store.table("labels").filter((label) => label.repoId === repoId && label.orgId === orgId);
}

function list(call: Call, whose: Of) {
  const sorted = labelsOf(call, whose).sort((one, other) =>
    one.name < other.name ? -1 : one.name > other.name ? 1 : one.id - other.id,
  );
  return listReply(call, sorted, (label) => labelWire(call, label), "total");
}

/** Finds a label by id or by name. */
function findLabel(call: Call, whose: Of): LabelRecord {
  const id = call.number("id");
  const known = labelsOf(call, whose);
  const label = known.find((candidate) => (id > 0 ? candidate.id === id : candidate.name === call.param("id")));
  if (label !== undefined) return label;
  const text = `label does not exist [label_id: ${id}, repo_id: ${whose.repoId ?? 0}]`;
  return notFound(whose.orgId === undefined ? text : undefined);
}

type Given = {
  readonly [K in "name" | "color" | "description" | "exclusive" | "is_archived"]?: LabelRecord[K] | undefined;
};

function newLabelFields(body: Given & { readonly name: string; readonly color: string }) {
  const { name, description = "", exclusive = false, is_archived = false } = body;
  return { name, color: colorOf(body.color), description, exclusive, is_archived };
}

/** Normalizes a color to six hex digits in lower case, without `#`. Throws 422 if it is invalid. */
function colorOf(text: string): string {
  const digits = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(text.trim())?.[1] ?? refuse(422, `invalid color: ${text}`);
  return (digits.length === 3 ? digits.replace(/./g, "$&$&") : digits).toLowerCase();
}

function edit(call: Call, label: LabelRecord, body: Given) {
  const next: LabelRecord = {
    ...label,
    name: body.name ?? label.name,
    color: body.color === undefined ? label.color : colorOf(body.color),
    description: body.description ?? label.description,
    exclusive: body.exclusive ?? label.exclusive,
    is_archived: body.is_archived ?? label.is_archived,
  };
  return json(200, labelWire(call, call.site.store.table("labels").put(next)));
}

/** Deletes a label. An unknown label is not an error. */
function remove(call: Call, whose: Of) {
  const label = labelsOf(call, whose).find(({ id }) => id === call.number("id"));
  if (label === undefined) return empty(204);
  for (const area of call.site.areas) area.labelDeleted?.(call.site, label);
  call.site.store.table("labels").delete(label.id);
  return empty(204);
}

type LabelText = Pick<LabelRecord, "name" | "color" | "description"> & { readonly exclusive?: boolean };

/** The label sets available for new repositories. */
export const labelSets: Readonly<Record<string, readonly LabelText[]>> = {
  Default: [
    { name: "bug", color: "ee0701", description: "Something is not working" },
    { name: "duplicate", color: "cccccc", description: "This issue or pull request already exists" },
    { name: "enhancement", color: "84b6eb", description: "New feature" },
    { name: "help wanted", color: "128a0c", description: "Need some help" },
    { name: "invalid", color: "e6e6e6", description: "Something is wrong" },
    { name: "question", color: "cc317c", description: "More information is needed" },
    { name: "wontfix", color: "ffffff", description: "This won't be fixed" },
  ],
  Advanced: [
    { name: "Kind/Bug", color: "ee0701", description: "Something is not working" },
    { name: "Kind/Feature", color: "0288d1", description: "New functionality" },
    { name: "Kind/Enhancement", color: "84b6eb", description: "Improve existing functionality" },
    { name: "Kind/Security", color: "9c27b0", description: "This is security issue" },
    { name: "Kind/Testing", color: "795548", description: "Issue or pull request related to testing" },
    { name: "Kind/Documentation", color: "37474f", description: "Documentation changes" },
    { name: "Compat/Breaking", color: "c62828", description: "Breaking change that won't be backward compatible" },
    {
      name: "Reviewed/Duplicate",
      color: "616161",
      description: "This issue or pull request already exists",
      exclusive: true,
    },
    { name: "Reviewed/Invalid", color: "546e7a", description: "Invalid issue", exclusive: true },
    { name: "Reviewed/Confirmed", color: "795548", description: "Issue has been confirmed", exclusive: true },
    { name: "Reviewed/Won't Fix", color: "eeeeee", description: "This issue won't be fixed", exclusive: true },
    {
      name: "Status/Need More Info",
      color: "424242",
      description: "Feedback is required to reproduce issue or to continue work",
      exclusive: true,
    },
    {
      name: "Status/Blocked",
      color: "880e4f",
      description: "Something is blocking this issue or pull request",
      exclusive: true,
    },
    {
      name: "Status/Abandoned",
      color: "222222",
      description: "Somebody has started to work on this but abandoned work",
      exclusive: true,
    },
    { name: "Priority/Critical", color: "b71c1c", description: "The priority is critical", exclusive: true },
    { name: "Priority/High", color: "d32f2f", description: "The priority is high", exclusive: true },
    { name: "Priority/Medium", color: "e64a19", description: "The priority is medium", exclusive: true },
    { name: "Priority/Low", color: "4caf50", description: "The priority is low", exclusive: true },
  ],
};

/** Creates a label. */
export function newLabel(
  store: Store,
  given: Partial<LabelRecord> & { readonly name: string; readonly color: string },
): LabelRecord {
  const none = { repoId: 0, orgId: 0, description: "", exclusive: false, is_archived: false };
  return store.table("labels").add({ ...none, ...given });
}
