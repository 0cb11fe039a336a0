import { defineCommand } from "../../app/define.ts";
import { optional } from "../../command/args.ts";
import { UsageError } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import {
  allowanceOf,
  type QuotaInfo,
  quotaGet,
  quotaInfo,
  subjects,
  usedBy,
  userQuotaGet,
} from "../../forge/quotas.ts";
import { present } from "../../shape/shape.ts";
import { sizeText } from "../../text/format.ts";
import { orgFlag, quotaLevel, storagePage } from "./level.ts";
import { limitText } from "./texts.ts";

/** `tongs quota view`: GET /user/quota, /orgs/{org}/quota or /admin/users/{username}/quota. */
export const view = defineCommand({
  summary: "View what an account stores, and how much it can store",
  details:
    "For each subject: what is used, and the limit of the rule that decides. Of several groups, the one that allows most " +
    "counts. A rule can limit several subjects together. The quota of another user requires an administrator.",
  on: "server",
  effect: "read",
  needs: [quotaGet, userQuotaGet],
  args: { user: optional("username (default: you)", { source: "account" }) },
  flags: { org: orgFlag },
  output: quotaInfo,
  web: {
    page(context) {
      if (context.args.user === undefined) return storagePage(context);
      throw new UsageError("The web page of another user's quota does not exist", "Omit --web.");
    },
    uses: ["org"],
  },
  examples: [
    ["View your quota", "tongs quota view"],
    ["View the quota of an organization", "tongs quota view --org tidewater"],
  ],
  async run({ args: { user }, flags: { org }, http, out }) {
    if (user !== undefined && org !== undefined) throw new UsageError("Specify only one of USER or --org");
    const info = await (user === undefined
      ? call(http, quotaGet, { level: quotaLevel(org) })
      : call(http, userQuotaGet, { username: user }));
    await out.record(info, (quota) => ({
      fields: [
        ["groups", groupNames(quota)],
        // All are sizes, and a narrow terminal has no room for the word.
        ...subjects.map((subject): [string, string] => [subject.replace(/^size:/, ""), usage(quota, subject)]),
      ],
    }));
  },
});

function groupNames({ groups }: QuotaInfo): string {
  const all = present(groups);
  if (all.length === 0) return "none: the default limit of the server applies";
  const names = all.flatMap(({ name }) => name ?? []);
  return names.length === 0 ? `${all.length} (the server does not tell names)` : names.join(", ");
}

/** `1.0 KiB of 2.0 GiB`, `1.0 KiB of 2.0 GiB for size:all`. */
function usage(info: QuotaInfo, subject: string): string {
  const used = sizeText(usedBy(info, subject));
  const allowance = allowanceOf(info, subject);
  if (allowance === undefined) return used;
  const { rule } = allowance;
  if (rule === undefined) return `${used} (no rule allows more)`;
  const of = present(rule.subjects);
  const whole = of.length === 1 && of[0] === subject ? "" : ` for ${of.join(" and ")}`;
  return `${used} of ${limitText(rule)}${whole}`;
}
