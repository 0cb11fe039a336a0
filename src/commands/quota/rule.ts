import type { ServerContext } from "../../app/context.ts";
import type { Command } from "../../app/define.ts";
import { inServer, resource } from "../../app/resource.ts";
import { one } from "../../command/args.ts";
import { choicesOf, flagOf } from "../../command/flags.ts";
import type { Table } from "../../command/table.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import {
  type QuotaRule,
  quotaGroupList,
  quotaRule,
  quotaRuleCreate,
  quotaRuleDelete,
  quotaRuleEdit,
  quotaRuleGet,
  quotaRuleList,
  subjects,
} from "../../forge/quotas.ts";
import { column } from "../../output/table.ts";
import { commandOn } from "../../profiles/server.ts";
import { present } from "../../shape/shape.ts";
import { exactSize, limitText } from "./texts.ts";

const rules = resource({
  ...inServer,
  noun: ["quota rule", "quota rules"],
  a: "a quota rule",
  record: quotaRule,
  argument: { key: "rule", one: "name of the rule", many: "names of rules" },
  get: (name, { http }) => call(http, quotaRuleGet, { quotarule: name }),
  name: ({ name }: QuotaRule) => `quota rule ${name}`,
});

const maxSize = flagOf(
  "string",
  "what the subjects can use together, such as 500M or 2G; unlimited: no limit",
  { placeholder: "SIZE" },
  (raw, spelling) => (raw === "unlimited" ? -1 : exactSize(raw, spelling)),
);
const subject = choicesOf(subjects, "what the rule limits", { short: "s", placeholder: "SUBJECT" });

/** The verbs of `tongs quota rule`. */
export const verbs: Table<Command> = {
  list: rules.list({
    needs: [quotaRuleList],
    columns: [
      column<QuotaRule>("NAME", "name", { style: "strong" }),
      column<QuotaRule>("LIMIT", "limit", limitText),
      column<QuotaRule>("SUBJECTS", "subjects", { cell: (rule) => present(rule.subjects).join(", "), flexible: true }),
    ],
    fetch: ({ http }) => call(http, quotaRuleList, {}),
    examples: [["List all rules", "tongs quota rule list"]],
  }),
  view: rules.view({
    needs: [quotaRuleGet],
    sheet: (rule) => ({
      title: rule.name,
      fields: [
        ["limit", limitText(rule)],
        ["subjects", present(rule.subjects).join(", ")],
      ],
    }),
    examples: [["View a rule", "tongs quota rule view all-1g"]],
  }),
  create: rules.create({
    needs: [quotaRuleCreate],
    args: { name: one("name of the rule") },
    details: "The rule limits nobody until it is in a group: see tongs quota group rule add",
    flags: { maxSize, subject },
    body({ args: { name }, flags: { maxSize: limit, subject } }) {
      if (limit === undefined) throw new UsageError("--max-size is required", "For no limit: --max-size unlimited");
      // A server takes a rule without subjects, which limits nothing.
      if (subject.length === 0) throw new UsageError("--subject is required", `Available: ${subjects.join(", ")}`);
      return { name, limit, subjects: subject };
    },
    send: (body, { http }) => call(http, quotaRuleCreate, {}, body),
    prints: ({ name }) => name,
    examples: [["Limit everything to 1 GiB", "tongs quota rule create all-1g --max-size 1G --subject size:all"]],
  }),
  edit: rules.edit({
    needs: [quotaRuleEdit],
    flags: { maxSize, subject },
    body: ({ flags: { maxSize: limit, subject } }) => ({
      ...(limit === undefined ? {} : { limit }),
      ...(subject.length === 0 ? {} : { subjects: subject }),
    }),
    send: ({ name }, body, { http }) => call(http, quotaRuleEdit, { quotarule: name }, body),
    examples: [["Raise a limit", "tongs quota rule edit all-1g --max-size 2G"]],
  }),
  delete: rules.delete({
    needs: [quotaRuleDelete],
    sends: quotaRuleDelete,
    details: "A rule that a group has is not deleted: it would no longer limit the users in the group.",
    exits: { refused: "a group has the rule" },
    async work({ name }, context) {
      await requireUnused(name, context);
      await call(context.http, quotaRuleDelete, { quotarule: name });
    },
    examples: [["Delete a rule", "tongs quota rule delete all-1g --yes"]],
  }),
};

/** Servers delete a rule from its groups without a word. */
async function requireUnused(name: string, { http, server }: ServerContext): Promise<void> {
  const groups = await collect(call(http, quotaGroupList, {}));
  const using = groups.filter(({ rules }) => present(rules).some((rule) => rule.name === name));
  const [first] = using;
  if (first === undefined) return;
  const names = using.map((group) => group.name).join(", ");
  throw new Failure("refused", `Quota rule ${name} is in use by ${using.length === 1 ? "group" : "groups"} ${names}`, {
    hint: `Remove it first: ${commandOn(server, `tongs quota group rule remove ${first.name} ${name}`)}`,
  });
}
