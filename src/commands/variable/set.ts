import { defineCommand } from "../../app/define.ts";
import { type Assignment, checkNames, readAssignments } from "../../app/settings/assignments.ts";
import { setArgs, setFlags, settingLevel } from "../../app/settings/level.ts";
import { action, applyPlan, type Change } from "../../app/settings/plan.ts";
import { levelExclusive, levelFlags, ownerName } from "../../app/shared.ts";
import { text, toggle } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import type { SettingLevel } from "../../forge/level.ts";
import { collect } from "../../forge/listings.ts";
import { call, find } from "../../forge/operation.ts";
import {
  listVariables,
  type Variable,
  variable,
  variableCreate,
  variableGet,
  variableUpdate,
} from "../../forge/variables.ts";
import type { Http } from "../../http/client.ts";
import { isFound } from "../../http/errors.ts";
import { list as listOf, record } from "../../shape/shape.ts";

/** `tongs variable set`: POST a new variable, PUT an existing one; nothing is sent if the value is the same. */
export const set = defineCommand({
  summary: "Create or update variables",
  details:
    "The value comes from --body, a file, stdin or a prompt; a final line break is removed. With --env-file, shows " +
    "which variables will be created, updated or left unchanged, then sets them; a value with a # must be quoted. Servers store names in upper case. " +
    "With --name or --description alone, a variable that exists keeps its value, and stdin is not read. " +
    "JSON output has the additional field action.",
  on: "server",
  needs: [variableCreate],
  fieldsOf: variableCreate,
  effect: "write",
  args: setArgs("variable"),
  flags: {
    ...levelFlags,
    body: text("value", { short: "b" }),
    ...setFlags("variable"),
    name: text("new name of the variable", { placeholder: "NAME" }),
    plan: toggle("print what would be done, and change nothing"),
  },
  exclusive: [...levelExclusive, ["body", "bodyFile", "envFile"], ["envFile", "name"], ["envFile", "description"]],
  output: listOf(record({ ...variable.fields, action })),
  exits: { partly: "some variables were set, some failed", refused: "the new name is taken" },
  examples: [
    ["Set a variable of the current repository", "tongs variable set TIDE_TABLE --body june"],
    ["Describe a variable, which keeps its value", 'tongs variable set TIDE_TABLE --description "month of the table"'],
    ["Set the variables of an organization from a file", "tongs variable set --org tidewater -f harbor.env"],
    ["See what would change", "tongs variable set -f harbor.env --plan"],
  ],
  async run(context) {
    const { args, flags, http, out, system } = context;
    const owner = await settingLevel("variable", flags, context);
    if (args.name !== undefined && flags.name !== undefined) await checkRename(http, owner, args.name, flags.name);
    const kept = keepsValue(flags) && args.name !== undefined ? await present(http, owner, args.name) : undefined;
    if (kept !== undefined && system.stdin.isTTY !== true)
      out.note(`${kept.name} keeps its value; to read it from stdin, pass --body-file -`);
    const assignments =
      kept !== undefined && args.name !== undefined
        ? [{ name: args.name, value: kept.data }]
        : await readAssignments({ kind: "variable", ...flags, name: args.name }, context);
    const known = new Map((await collect(listVariables(http, owner))).map((one) => [one.name.toUpperCase(), one]));
    const changes = assignments.map((one) => change(one, known.get(one.name.toUpperCase()), flags, { http, owner }));
    return applyPlan(
      changes,
      { kind: "variable", owner: ownerName(owner), isShown: flags.envFile !== undefined, planOnly: flags.plan },
      context,
    );
  },
});

/** Whether only the name or the description is to change. */
function keepsValue({ body, bodyFile, name, description }: Readonly<Record<string, unknown>>): boolean {
  return body === undefined && bodyFile === undefined && (name !== undefined || description !== undefined);
}

/** The variable of this name, if there is one. */
async function present(http: Http, owner: SettingLevel, name: string): Promise<Variable | undefined> {
  await checkNames(http, "variable", name);
  return find(http, variableGet, { level: owner, variablename: name });
}

/** What has to be sent to set a variable. */
function change(
  { name, value }: Assignment,
  old: Variable | undefined,
  given: { readonly name: string | undefined; readonly description: string | undefined },
  { http, owner }: { readonly http: Http; readonly owner: SettingLevel },
): Change {
  const stored = name.toUpperCase();
  const description = given.description ?? old?.description;
  const isSame =
    old !== undefined &&
    old.data === value.replaceAll("\r\n", "\n") &&
    (given.description === undefined || given.description === old.description) &&
    (given.name ?? stored).toUpperCase() === stored;
  return {
    name: stored,
    newName: given.name?.toUpperCase(),
    action: old === undefined ? "create" : isSame ? "unchanged" : "update",
    before: old ?? {},
    async apply() {
      if (old === undefined) {
        await call(http, variableCreate, { level: owner, variablename: stored }, { value, description });
        return "created";
      }
      await call(
        http,
        variableUpdate,
        { level: owner, variablename: stored },
        { value, description, name: given.name },
      );
      return "updated";
    },
    after: () => call(http, variableGet, { level: owner, variablename: given.name ?? stored }),
  };
}

/** Refuses to rename a variable that does not exist, and a new name that the server refuses or another variable has. */
async function checkRename(http: Http, owner: SettingLevel, old: string, name: string): Promise<void> {
  await checkNames(http, "variable", name);
  await call(http, variableGet, { level: owner, variablename: old });
  if (name.toUpperCase() === old.toUpperCase()) throw new UsageError(`${old} already has that name`);
  if (await isFound(call(http, variableGet, { level: owner, variablename: name })))
    throw new Failure("exists", `A variable named ${name.toUpperCase()} already exists`);
}
