import type { CommandContext, ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { requireWriters } from "../../app/listed-users.ts";
import { runPlan } from "../../app/plan.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { ignoredError } from "../../failure/ignored.ts";
import { ifFound } from "../../http/errors.ts";
import { addressText } from "../../profiles/server.ts";
import type { System } from "../../system/system.ts";
import { type Change, ignoredFields } from "./compare.ts";
import { throwProblems } from "./file.ts";
import type { SecretPlace } from "./fingerprints.ts";
import { kindAt } from "./kinds/index.ts";
import { folded, type Item, isRepository, pick, placeOf, secretField, secretIn, type Values } from "./kinds/kind.ts";
import { fileArg, makePlan, selectionFlags } from "./plan.ts";
import { applied, appliedChanges, changeLine, changePlace, doneLine, removalText, summary } from "./rows.ts";

/** `tongs policy apply`: makes what exists as a policy file says. */
export const apply = defineCommand({
  summary: "Apply a policy file",
  details:
    "Shows what changes and prompts, then works on several repositories at a time. Run it again after an interruption: it " +
    "continues with what is left. Items that are not in the file, members of teams included, are removed only with " +
    "'prune: true'; servers also end the assignments of members that are removed. Secrets are " +
    "read from the environment variables named in the file; a secret that cannot be checked is set again. Servers delete " +
    "the Authorization header of a webhook on every edit: if it has one, name it in the file with authorization_header_env.",
  on: "server",
  effect: "destroy",
  args: fileArg,
  flags: selectionFlags,
  output: appliedChanges,
  exits: { partly: "some changes were made, some failed" },
  examples: [["Apply a policy to an organization", "tongs policy apply policy.yml --org tidewater --yes"]],
  alone: "applying a policy",
  run: applyPolicy,
});

/** Makes the changes of a policy. */
async function applyPolicy(context: CommandContext<"server", typeof fileArg, typeof selectionFlags>) {
  const { args, flags, out, server, system } = context;
  const made = await makePlan(context, args.file, flags);
  const { changes, leaving, fingerprints, places, skipped } = made;
  throwProblems([...made.unread, ...made.problems]);
  // What lists users and teams goes before they lose access: its undo restores it as it was by then. Archived, it stays.
  const turn = ({ change: { repository, kind, action, fields } }: Step) => {
    if (fields.some(({ field, new: value }) => field === "archived" && value === false)) return 0;
    return action === "delete" && kindAt(repository, kind).lists !== undefined ? 1 : 2;
  };
  const steps = changes.flatMap((change) => stepOf(change, system)).toSorted((one, other) => turn(one) - turn(other));
  const counts = summary(changes, places, skipped);
  if (steps.length > 0) {
    for (const warning of steps.flatMap((step) => clearedBy(step))) out.warn(warning);
    out.note(counts);
  }
  const count = steps.length === 1 ? "1 change" : `${steps.length} changes`;
  const final = steps.filter(({ change }) => isFinal(change)).length;
  const all = steps.map(({ change }) => change);
  const remarks = [
    ...(final === 0 ? [] : [final === steps.length ? "cannot be undone" : `${final} cannot be undone`]),
    ...(removalText(all) ?? []),
    ...leaving.values(),
  ];
  const remark = remarks.length === 0 ? "" : ` (${remarks.join("; ")})`;
  const isLast = ({ change }: Step) => change.item !== undefined && leaving.has(change.item);
  const make = async (step: Step) => {
    const sent = await applyStep(step, context);
    fingerprints.remember(sent.secrets);
    const ignored = sent.stored === undefined ? [] : ignoredFields(step.change, sent.stored);
    const kept = step.change.fields.filter(({ field }) => !ignored.some(({ name }) => name === field));
    const fields = kept.map((one) => ({ ...one, old: sent.old?.[one.field] ?? one.old }));
    const change = { ...step.change, fields };
    const isDone = ignored.length === 0 || change.action === "create" || change.fields.length > 0;
    return {
      message: isDone ? doneLine(change) : undefined,
      record: applied(change),
      failure: ignored.length === 0 ? undefined : ignoredError(ignored, changePlace(change)),
    };
  };
  const ended = await runPlan(
    steps.map((step) => {
      const place = step.change.repository.toLowerCase();
      const [owner = ""] = place.split("/");
      return {
        place,
        line: changeLine(step.change),
        what: changePlace(step.change),
        row: {},
        rank: isLast(step) ? 2 : isRepository(step.change.repository) ? 1 : 0,
        // A repository can name a new team of its owner; who leaves goes last.
        follows: (other: string) => isLast(step) || other === owner,
        make: () => make(step),
      };
    }),
    {
      asks: `Apply ${count} on ${addressText(server.base)}${remark}`,
      isPlan: false,
      nothing: counts,
    },
    context,
  );
  // What could not be read was not applied.
  const isUnread = changes.some(({ action, fields }) => action === "unchecked" && fields.length === 0);
  return ended ?? (isUnread ? "partly" : undefined);
}

/** Whether the journal cannot undo a change. */
function isFinal({ repository, kind, action }: Change): boolean {
  const { sends } = kindAt(repository, kind);
  return action in sends && typeof sends[action as keyof typeof sends]?.undo?.cannot === "string";
}

/** A change to make, with the values of its secrets. */
interface Step {
  readonly change: Change;
  readonly changed: Values;
  readonly all: Values;
  readonly secrets: ReadonlyMap<string, string>;
}

/**
 * The step for a change, without fields that cannot be checked, unless they are secrets that are in the environment; none if
 * nothing is left, nor for a duplicate.
 */
function stepOf(change: Change, system: System): Step[] {
  const entries = Object.entries(change.values);
  const secrets = new Map(
    entries.flatMap(([field, variable]): [string, string][] => {
      const [name, secret] = [secretField(field), secretIn(variable, system)];
      return name && secret ? [[name, secret]] : [];
    }),
  );
  const fields = change.fields.filter(({ field, isUnchecked = false }) => !isUnchecked || secrets.has(field));
  const action = change.action === "unchecked" ? "update" : change.action;
  if (action === "duplicate" || (action === "update" && fields.length === 0)) return [];
  const plain = entries.filter(([field]) => secretField(field) === undefined);
  const changed = fields.map(({ field, new: value }) => [field, secrets.get(field) ?? value]);
  const all = Object.fromEntries([...plain, ...secrets]);
  return [{ change: { ...change, action, fields }, changed: Object.fromEntries(changed), all, secrets }];
}

/**
 * Warnings about the secrets that an edit clears, because the file does not name them. Throws a usage error for one that the
 * file names but the environment does not have.
 */
function clearedBy({ change, all }: Step): string[] {
  const { action, item, values } = change;
  const lost = action === "update" ? (item?.cleared ?? []).filter((field) => !Object.hasOwn(all, field)) : [];
  return lost.map((field) => {
    const variable = values[`${field}_env`];
    if (variable !== undefined) {
      const hint = `The server clears ${field} if the edit does not send it.`;
      throw new UsageError(`Environment variable ${String(variable)} is not set: ${changeLine(change)}`, hint);
    }
    return `The server clears ${field} of ${changePlace(change)}, if it has one: the file has no ${field}_env`;
  });
}

/**
 * Makes a change. Returns what was there before, what the server stored, if it says so, and the secrets that it was sent.
 * Looks again before it edits or creates what servers create twice: somebody else can have done so since the plan was made.
 */
async function applyStep({ change, changed, all, secrets }: Step, { http, server }: ServerContext) {
  const { repository, kind, name, item: planned, action } = change;
  const place = placeOf(http, repository);
  if (action === "delete") {
    // Another process can have deleted it meanwhile.
    if (planned?.remove !== undefined) await ifFound(planned.remove());
    return { old: undefined, stored: undefined, secrets: [] };
  }
  const own = kindAt(repository, kind);
  const isIt = (one: Item) => folded(own, one.name) === folded(own, name);
  const found = planned !== undefined || own.repeats ? await own.read(place, new Map([[name, all]])) : [];
  const present = found.find(isIt);
  if (planned === undefined && present !== undefined)
    throw new Failure("exists", `${changePlace(change)} exists by now`, { hint: "Run the same command again." });
  const item = present ?? planned;
  // Who had, or was to get, access in the plan can be without it by now.
  if (own.lists !== undefined)
    await requireWriters(own.lists, item === undefined ? all : changed, {}, { ...place, server });
  const stored = item === undefined ? await own.create?.(place, name, all) : await item.update?.(changed, all);
  const sent = [...secrets].filter(([field]) => item === undefined || Object.hasOwn(changed, field));
  const at = (field: string): SecretPlace => [repository, kind, name, field];
  return {
    old: item?.values,
    stored: stored && pick(stored, own.fields),
    secrets: sent.map(([field, secret]) => [at(field), secret] as const),
  };
}
