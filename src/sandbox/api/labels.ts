import {
  labelCreate,
  labelDelete,
  labelEdit,
  labelList,
  labelTemplateGet,
  labelTemplateList,
} from "../../forge/labels.ts";
import { collection } from "../http/collection.ts";
import { labelGet } from "../http/other-operations.ts";
import { empty, found, json, listed, refuse } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { labelJson } from "../serializers/issues.ts";
import type { LabelRecord } from "../state/records/repos.ts";
import type { Store } from "../state/store.ts";

const read = { levels: { repository: { repo: "any" }, organization: { org: true } } } as const;
const write = {
  levels: {
    repository: { repo: "any", signedIn: true, right: "write" },
    organization: { org: true, signedIn: true, orgOwner: true },
  },
} as const;

/** Labels of repositories and organizations. Names need not be unique. Deleting an unknown label is not an error. */
export const labels: Area = {
  routes: [
    collection(
      "labels",
      { read, write },
      {
        get: labelGet,
        list: [labelList, all],
        headers: "total",
        find(call) {
          const id = call.number("id");
          const { level, of } = call.place;
          return found(
            all(call).find((one) => (id > 0 ? one.id === id : one.name === call.param("id"))),
            level === "owner" ? undefined : `label does not exist [label_id: ${id}, repo_id: ${of}]`,
          );
        },
        create: [labelCreate, (call, body) => newLabel(call.site.store, { ...given(body), ...ownerIds(call) })],
        edit: [labelEdit, ({ site }, label, body) => site.table("labels").put({ ...label, ...given(body) })],
        serialize: labelJson,
      },
    ),
    route(labelDelete, write, (call) => {
      const label = all(call).find(({ id }) => id === call.number("id"));
      if (label !== undefined) for (const area of call.site.areas) area.labelDeleted?.(call.site, label);
      call.table("labels").delete(label?.id ?? 0);
      return empty(204);
    }),
    route(labelTemplateList, {}, () => json(200, Object.keys(labelSets).sort())),
    route(labelTemplateGet, {}, (call) => {
      const set = found(Object.entries(labelSets).find(([name]) => name === call.param("name"))?.[1]);
      return listed(call, set, (_call, label) => ({ exclusive: false, ...label }));
    }),
  ],
};

function ownerIds({ place: { level, of } }: Call<typeof read>): Pick<LabelRecord, "repoId" | "orgId"> {
  return level === "repository" ? { repoId: of, orgId: 0 } : { repoId: 0, orgId: of };
}

/** The labels of a repository or an organization, by name. */
function all(call: Call<typeof read>): LabelRecord[] {
  const { repoId, orgId } = ownerIds(call);
  const here = call.table("labels").filter((label) => label.repoId === repoId && label.orgId === orgId);
  return here.sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : one.id - other.id));
}

/** The fields of a body, with a normalized color. */
function given<B extends { readonly color?: string }>(body: B): B {
  return body.color === undefined ? body : { ...body, color: colorOf(body.color) };
}

/** Normalizes a color to six hex digits in lower case, without `#`. Throws 422 if it is invalid. */
function colorOf(text: string): string {
  const digits = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(text.trim())?.[1] ?? refuse(422, `invalid color: ${text}`);
  return (digits.length === 3 ? digits.replace(/./g, "$&$&") : digits).toLowerCase();
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
