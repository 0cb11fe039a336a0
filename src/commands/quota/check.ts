import { defineCommand } from "../../app/define.ts";
import type { Arg } from "../../command/args.ts";
import { choiceOr } from "../../command/flags.ts";
import { call } from "../../forge/operation.ts";
import { allowanceOf, quotaCheck, quotaGet, subjects } from "../../forge/quotas.ts";
import { present } from "../../shape/shape.ts";
import { sizeText } from "../../text/format.ts";
import { orgFlag, quotaLevel } from "./level.ts";
import { exactSize, limitText } from "./texts.ts";

const size: Arg<number | undefined> = {
  count: "optional",
  description: "size of what is to be stored, such as 500M or 2G (default: ask whether anything can be stored)",
  read: ([typed], name) => (typed === undefined ? undefined : exactSize(typed, name)),
};

/** `tongs quota check`: GET /user/quota/check, or what GET /user/quota leaves for a size; the same of an organization. */
export const check = defineCommand({
  summary: "Check whether something can be stored within the quota",
  details:
    "Servers check only whether the quota is used up, not whether an upload fits. For a size, tongs computes it from the " +
    "limits and what is used; of an account in no quota group, only the server's answer is known.",
  on: "server",
  effect: "read",
  needs: [quotaCheck, quotaGet],
  args: { size },
  flags: { subject: choiceOr(subjects, "size:all", "what is to be stored", { short: "s" }), org: orgFlag },
  exits: { ok: "it fits", failure: "it does not fit" },
  examples: [
    ["Check whether you can store anything", "tongs quota check"],
    ["Check whether a package fits", "tongs quota check 500M --subject size:assets:packages:all --org tidewater"],
  ],
  async run({ args: { size }, flags: { subject, org }, http, out }) {
    const level = quotaLevel(org);
    const whose = org === undefined ? "you" : `organization ${org}`;
    const allowance = size === undefined ? undefined : allowanceOf(await call(http, quotaGet, { level }), subject);
    if (size === undefined || allowance === undefined) {
      const isAllowed = await call(http, quotaCheck, { level, subject });
      out.note(isAllowed ? `The server allows ${whose} to store more` : `The quota is used up (${subject})`);
      if (size !== undefined)
        out.note(`No quota group limits ${whose}: the server's default applies, which it does not tell`);
      return isAllowed ? undefined : "failure";
    }
    const { room, rule } = allowance;
    const fits = size <= room;
    const left = room === Number.POSITIVE_INFINITY ? "unlimited" : sizeText(Math.max(0, room));
    const why =
      rule === undefined
        ? `no rule allows ${subject}`
        : `${rule.name === undefined ? "" : `rule ${rule.name}: `}${limitText(rule)} for ${present(rule.subjects).join(" and ")}`;
    out.note(`${sizeText(size)} ${fits ? "fits" : "does not fit"}; left: ${left} (${why})`);
    return fits ? undefined : "failure";
  },
});
