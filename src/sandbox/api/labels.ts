import {
  labelCreate,
  labelDelete,
  labelEdit,
  labelList,
  labelSettings,
  labelTemplateGet,
  labelTemplateList,
} from "../../forge/labels.ts";
import type { Settings, SettingValues } from "../../forge/setting.ts";
import { hexColor } from "../../text/color.ts";
import { collection } from "../http/collection.ts";
import { found, listed, refuse } from "../http/reply.ts";
import { type Area, type Call, other, route } from "../http/route.ts";
import { labelJson } from "../serializers/issues.ts";
import type { RepoAt, Site } from "../site.ts";
import { saveIssue } from "../state/issues.ts";
import { by, byNameAndId } from "../state/order.ts";
import { unset } from "../state/records/fields.ts";
import type { LabelRecord, RepoRecord } from "../state/records/repos.ts";
import type { Store } from "../state/store.ts";

const read = { levels: { repository: { repo: "any" }, organization: { org: true } } } as const;
const write = {
  levels: {
    repository: { repo: "any", signedIn: true, right: "write" },
    organization: { org: true, signedIn: true, orgOwner: true },
  },
} as const;

/** Labels of repositories and organizations. Names need not be unique. Deleting an unknown label is not an error. */
export const labels: Area = [
  collection({
    table: "labels",
    needs: { read, write },
    get: { ...other("GET /repos/{owner}/{repo}/labels/{id}"), path: labelEdit.path, levels: labelEdit.levels },
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
  }),
  route(labelDelete, write, (call) => {
    const label = all(call).find(({ id }) => id === call.number("id"));
    const { id = 0 } = label ?? {};
    for (const issue of call.table("issues").filter(({ labels }) => labels.includes(id)))
      saveIssue(call.site.store, { ...issue, labels: issue.labels.filter((one) => one !== id) });
    call.table("labels").delete(id);
  }),
  route(labelTemplateList, {}, () => Object.keys(labelSets).sort()),
  route(labelTemplateGet, {}, (call) => {
    const set = found(Object.entries(labelSets).find(([name]) => name === call.param("name"))?.[1]);
    return listed(call, set, (_call, label) => ({ exclusive: false, ...label }));
  }),
];

function ownerIds({ place: { level, of } }: Call<typeof read>): Pick<LabelRecord, "repoId" | "orgId"> {
  return level === "repository" ? { repoId: of, orgId: 0 } : { repoId: 0, orgId: of };
}

/** The labels of a repository or an organization, by name. */
function all(call: Call<typeof read>): LabelRecord[] {
  const { repoId, orgId } = ownerIds(call);
  const here = call.table("labels").filter((label) => label.repoId === repoId && label.orgId === orgId);
  return here.sort(byNameAndId);
}

const settings: Settings = labelSettings;

/** The fields of a body, with colors of six hex digits. Throws 422 for what is none. */
function given<B extends object>(body: B): B {
  const fields = Object.entries(body).map(([name, value]) => {
    if (settings[name]?.isColor !== true) return [name, value];
    return [name, hexColor(String(value)) ?? refuse(422, `invalid color: ${value}`)];
  });
  return Object.fromEntries(fields) as B;
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
  const nothing = unset("EditLabelOption") as unknown as SettingValues<typeof labelSettings>;
  return store.table("labels").add({ repoId: 0, orgId: 0, ...nothing, ...given });
}

/** The labels of a repository and of the organization that owns it. */
export const availableLabels = ({ store }: Site, repo: RepoRecord): LabelRecord[] =>
  store.table("labels").filter(({ repoId, orgId }) => repoId === repo.id || orgId === repo.ownerId);

/** The ids that are labels there. Others are dropped, and so are all but one exclusive label of a scope. */
export function knownLabels({ site, repo }: RepoAt, ids: readonly number[]): number[] {
  const known = availableLabels(site, repo).filter(({ id }) => ids.includes(id));
  return withLabels(site, [], known);
}

/** Labels with further ones. An exclusive label replaces those of its scope; of several added ones the last by name. */
export function withLabels({ store }: Site, before: readonly number[], added: readonly LabelRecord[]): number[] {
  const winner = new Map([...added].sort(by("name")).map((label) => [scopeOf(label), label.id]));
  winner.delete(undefined);
  const stays = (id: number) => (winner.get(scopeOf(store.table("labels").get(id))) ?? id) === id;
  return [...new Set([...before, ...added.map(({ id }) => id)])].filter(stays);
}

/** The scope of an exclusive label: `size` of `size/small`. */
function scopeOf(label: LabelRecord | undefined): string | undefined {
  return label?.exclusive ? /^(.+)\/[^/]+$/.exec(label.name)?.[1] : undefined;
}
