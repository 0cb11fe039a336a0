import {
  labelCreate,
  labelDelete,
  labelEdit,
  labelList,
  labelSettings,
  labelTemplateGet,
  labelTemplateList,
} from "../../forge/labels.ts";
import type { Settings } from "../../forge/setting.ts";
import { collection } from "../http/collection.ts";
import { labelGet } from "../http/other-operations.ts";
import { empty, found, json, listed, refuse } from "../http/reply.ts";
import { type Area, type Call, route } from "../http/route.ts";
import { labelJson } from "../serializers/issues.ts";
import { saveIssue } from "../state/issues.ts";
import { byNameAndId } from "../state/order.ts";
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
      const { id = 0 } = label ?? {};
      for (const issue of call.table("issues").filter(({ labels }) => labels.includes(id)))
        saveIssue(call.site.store, { ...issue, labels: issue.labels.filter((one) => one !== id) });
      call.table("labels").delete(id);
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
  return here.sort(byNameAndId);
}

/** The fields of a body, with normalized colors. */
function given<B extends object>(body: B): B {
  const fields = Object.entries(body).map(([name, value]) => [name, isColor(name) ? colorOf(String(value)) : value]);
  return Object.fromEntries(fields) as B;
}

const settings: Settings = labelSettings;
const isColor = (name: string) => settings[name]?.isColor === true;

/** Normalizes a color to six hex digits in lower case, without `#`. Throws 422 if it is invalid. */
function colorOf(text: string): string {
  const digits = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(text.trim())?.[1] ?? refuse(422, `invalid color: ${text}`);
  return (digits.length === 3 ? digits.replace(/./g, "$&$&") : digits).toLowerCase();
}

type LabelText = Pick<LabelRecord, "name" | "color" | "description">;

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
};

/** Creates a label. */
export function newLabel(
  store: Store,
  given: Partial<LabelRecord> & { readonly name: string; readonly color: string },
): LabelRecord {
  const unset = Object.entries(settings).map(([name, { shape }]) => [name, shape.type === "boolean" ? false : ""]);
  return store.table("labels").add({ repoId: 0, orgId: 0, ...Object.fromEntries(unset), ...given });
}
