import {
  boolean,
  type Infer,
  integer,
  largeInteger,
  list,
  nullable,
  optional,
  present,
  record,
  serverRecord,
  string,
} from "../shape/shape.ts";
import { operation, pagesOf } from "./operation.ts";
import { fieldsOf, listHas, listOf, undoCreate, undoToggle } from "./undo.ts";
import { user } from "./users.ts";

/**
 * What a quota rule can limit, each with the subject that it is part of (docs/server-differences.md, "Quotas"). A rule also applies to the
 * parts of its subjects.
 */
const parents = {
  "size:all": undefined,
  "size:git:all": "size:all",
  "size:git:lfs": "size:git:all",
  "size:repos:all": "size:git:all",
  "size:repos:public": "size:repos:all",
  "size:repos:private": "size:repos:all",
  "size:assets:all": "size:all",
  "size:assets:attachments:all": "size:assets:all",
  "size:assets:attachments:issues": "size:assets:attachments:all",
  "size:assets:attachments:releases": "size:assets:attachments:all",
  "size:assets:artifacts": "size:assets:all",
  "size:assets:packages:all": "size:assets:all",
  "size:assets:wiki": "size:assets:all",
} as const;

export type Subject = keyof typeof parents;

/** The subjects of quota rules. */
export const subjects = Object.keys(parents) as Subject[];

/** A limit in bytes for what its subjects use together; -1 is no limit. A rule that was deleted, or never was, has no subjects. */
const limits = { limit: largeInteger, subjects: optional(nullable(list(string))) };

export const quotaRule = serverRecord("a quota rule", { name: string, ...limits });
export type QuotaRule = Infer<typeof quotaRule>;

/** Rules for the users in it. All rules of a group must allow an upload, and one group of a user is enough. */
export const quotaGroup = serverRecord("a quota group", { name: string, rules: optional(nullable(list(quotaRule))) });
export type QuotaGroup = Infer<typeof quotaGroup>;

/** A rule and a group in the quota of an account: only what administrators read of a user (`userQuotaGet`) has their names. */
const ruleInForce = serverRecord("a quota rule", { name: optional(string), ...limits });
type RuleInForce = Infer<typeof ruleInForce>;

const groupInForce = serverRecord("a quota group", {
  name: optional(string),
  rules: optional(nullable(list(ruleInForce))),
});

/** What an account uses, in bytes, and the groups that limit it. Without groups, the default of the server applies. */
export const quotaInfo = serverRecord("a quota", {
  used: record({
    size: record({
      repos: record({ public: integer, private: integer }),
      git: record({ LFS: integer }),
      assets: record({
        attachments: record({ issues: integer, releases: integer }),
        artifacts: integer,
        packages: record({ all: integer }),
      }),
    }),
  }),
  groups: optional(nullable(list(groupInForce))),
});
export type QuotaInfo = Infer<typeof quotaInfo>;

/** What uses the quota: an artifact, a package or an attachment. */
export const quotaItem = serverRecord(
  "an item of the quota",
  { name: string, size: integer },
  { html_url: optional(string), api_url: optional(string), type: optional(string), version: optional(string) },
);
export type QuotaItem = Infer<typeof quotaItem>;

const levels = ["organization", "user"] as const;

export const quotaGroupList = operation("GET", "/admin/quota/groups", {
  answers: pagesOf(quotaGroup, { unpaged: true }),
});

export const quotaGroupGet = operation("GET", "/admin/quota/groups/{quotagroup}", { answers: quotaGroup });

/** A rule that does not exist is created, with a limit of 0. */
const sameRules = (asked: unknown, rules: QuotaGroup["rules"]) => {
  const names = (list: readonly { readonly name?: string | undefined }[]) => list.map(({ name }) => name).sort();
  return String(names(asked as readonly { readonly name?: string }[])) === String(names(rules ?? []));
};

export const quotaGroupCreate = operation("POST", "/admin/quota/groups", {
  answers: quotaGroup,
  undo: undoCreate({
    key: "name",
    isUsed: async ({ name }, read, at) =>
      (await read.list(at("/admin/quota/groups/{name}/users", { name: String(name) }))).length > 0,
  }),
  applied: { reads: { rules: ({ rules }, asked) => (sameRules(asked, rules) ? asked : rules) } },
});

export const quotaGroupDelete = operation("DELETE", "/admin/quota/groups/{quotagroup}");

export const quotaGroupUserList = operation("GET", "/admin/quota/groups/{quotagroup}/users", {
  answers: pagesOf(user, { unpaged: true }),
});

const isInGroup = listHas({ login: "{username}" }, "/admin/quota/groups/{quotagroup}/users");
const isOfGroup = listHas({ name: "{quotarule}" }, "/admin/quota/groups/{quotagroup}", "rules");

/** 409 if the user is in the group. */
export const quotaGroupUserAdd = operation("PUT", "/admin/quota/groups/{quotagroup}/users/{username}", {
  missing: undefined,
  undo: undoToggle({ state: isInGroup }),
});

export const quotaGroupUserRemove = operation("DELETE", "/admin/quota/groups/{quotagroup}/users/{username}", {
  undo: undoToggle({ state: isInGroup }),
});

/** 409 if the rule is in the group; 204 also for a rule that does not exist. */
export const quotaGroupRuleAdd = operation("PUT", "/admin/quota/groups/{quotagroup}/rules/{quotarule}", {
  missing: undefined,
  undo: undoToggle({ state: isOfGroup }),
});

export const quotaGroupRuleRemove = operation("DELETE", "/admin/quota/groups/{quotagroup}/rules/{quotarule}", {
  undo: undoToggle({ state: isOfGroup }),
});

export const quotaRuleList = operation("GET", "/admin/quota/rules", { answers: pagesOf(quotaRule, { unpaged: true }) });

export const quotaRuleGet = operation("GET", "/admin/quota/rules/{quotarule}", { answers: quotaRule });

export const quotaRuleCreate = operation("POST", "/admin/quota/rules", {
  answers: quotaRule,
  undo: undoCreate({
    key: "name",
    isUsed: async ({ name }, read, at) =>
      (await read.list(at("/admin/quota/groups"))).some((group) =>
        listOf(fieldsOf(group)["rules"]).some((rule) => fieldsOf(rule)["name"] === name),
      ),
  }),
});

export const quotaRuleEdit = operation("PATCH", "/admin/quota/rules/{quotarule}", { answers: quotaRule });

/** 204 also for some rules that do not exist, and for those of groups, which lose them. */
export const quotaRuleDelete = operation("DELETE", "/admin/quota/rules/{quotarule}");

export const quotaGet = operation("GET", "{level}/quota", { levels, answers: quotaInfo });

export const userQuotaGet = operation("GET", "/admin/users/{username}/quota", { answers: quotaInfo });

/** Whether more can be uploaded now, whatever its size. */
export const quotaCheck = operation("GET", "{level}/quota/check", { levels, answers: boolean });

export const quotaArtifactList = operation("GET", "{level}/quota/artifacts", {
  levels,
  answers: pagesOf(quotaItem),
});

export const quotaAttachmentList = operation("GET", "{level}/quota/attachments", {
  levels,
  answers: pagesOf(quotaItem),
});

export const quotaPackageList = operation("GET", "{level}/quota/packages", {
  levels,
  answers: pagesOf(quotaItem),
});

/** How many bytes a subject uses. The server does not measure wikis. */
export function usedBy({ used: { size } }: QuotaInfo, subject: string): number {
  const { repos, git, assets } = size;
  const parts: Readonly<Record<string, number>> = {
    "size:git:lfs": git.LFS,
    "size:repos:public": repos.public,
    "size:repos:private": repos.private,
    "size:assets:attachments:issues": assets.attachments.issues,
    "size:assets:attachments:releases": assets.attachments.releases,
    "size:assets:artifacts": assets.artifacts,
    "size:assets:packages:all": assets.packages.all,
  };
  const within = Object.entries(parts).filter(([part]) => withParents(part).includes(subject));
  return within.reduce((sum, [, bytes]) => sum + bytes, 0);
}

/** How many bytes the rule leaves: below 0 if more is used than it allows. */
function roomIn(rule: RuleInForce, info: QuotaInfo): number {
  if (rule.limit === -1) return Number.POSITIVE_INFINITY;
  return Number(rule.limit) - present(rule.subjects).reduce((sum, subject) => sum + usedBy(info, subject), 0);
}

/** The rule that decides how much more of a subject an account can store, and the bytes it leaves. */
export interface Allowance {
  /** Absent if no rule of the groups is about the subject: then nothing can be stored. */
  readonly rule?: RuleInForce;
  readonly room: number;
}

/**
 * What the groups of an account allow of a subject: that of the group that leaves most, in which the rule counts that leaves
 * least. Undefined for an account in no group, whose limit is the server's default, which the API does not tell.
 */
export function allowanceOf(info: QuotaInfo, subject: string): Allowance | undefined {
  const groups = present(info.groups);
  if (groups.length === 0) return undefined;
  const related = withParents(subject);
  const ofGroups = groups.flatMap(({ rules }) => {
    const about = present(rules).filter((rule) => present(rule.subjects).some((one) => related.includes(one)));
    const rooms = about.map((rule) => ({ rule, room: roomIn(rule, info) }));
    return rooms.sort((one, other) => byRoom(one, other)).slice(0, 1);
  });
  return ofGroups.sort((one, other) => byRoom(other, one))[0] ?? { room: 0 };
}

function byRoom({ room: one }: Allowance, { room: other }: Allowance): number {
  return one === other ? 0 : one - other;
}

/** A subject and those that it is part of. */
function withParents(subject: string): readonly string[] {
  const known: Readonly<Record<string, string | undefined>> = parents;
  const parent = known[subject];
  return parent === undefined ? [subject] : [subject, ...withParents(parent)];
}
