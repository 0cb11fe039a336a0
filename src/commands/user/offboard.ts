import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import pMap from "p-map";
import type { BaseContext, ServerContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { readTargets } from "../../app/input.ts";
import { completeLines, requireJournal, resumedEntries } from "../../app/rows/journal-file.ts";
import { any } from "../../command/args.ts";
import { inputFile, text, toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import type { Http } from "../../http/client.ts";
import { addressText, commandOn } from "../../profiles/server.ts";
import { list } from "../../shape/shape.ts";
import { followLinks, fullPath } from "../../system/files.ts";
import { quoted } from "../../text/words.ts";
import { findUser } from "./import/existing-users.ts";
import { lockFiles, requireFile } from "./import/source.ts";
import { otherAccount } from "./people/account-now.ts";
import { readPeopleFile } from "./people/file.ts";
import { foreseeReviews } from "./people/foresee-reviews.ts";
import {
  heldSteps,
  type LeavePlan,
  type Leaver,
  otherHeir,
  planLeaving,
  type Reads,
  readsAs,
  renamedWay,
} from "./people/leave-plan.ts";
import { describe, isName, type LeaveStep, takeStep, waitsFor } from "./people/leave-steps.ts";
import { outcome } from "./people/outcome.ts";
import {
  journalAt,
  journalServer,
  openPeopleJournal,
  type PeopleJournal,
  type PersonPlan,
  printPlan,
  readEarlier,
  runPeople,
} from "./people/run-people.ts";

const words = { by: "tongs user offboard", noun: "offboarding", did: "offboarded" } as const;

/** `tongs user offboard`: blocks the sign-in of users, takes their access away, and hands over what they have. */
export const offboard = defineCommand({
  summary: "Take access away from users who leave, and hand over what they have",
  details:
    "Blocks the sign-in, which also ends sessions and tokens; deletes SSH and GPG keys and, where the server has an " +
    "operation for that, tokens; hands open assigned issues and pull requests, review requests and repositories over to the " +
    "user of --to, or repositories alone to an organization; takes the rights as a collaborator away; removes the users from all organizations and their teams; " +
    "and deletes the accounts with --delete. The last owner of an " +
    "organization is named first, and nothing is done for that user, nor for one whose issues the user of --to may not read. --plan shows all steps, with --resume those that are left. What is under way is in a " +
    "journal next to FILE, or offboard.journal, one for each server: after a crash or Ctrl-C, --resume continues, and does nothing twice. " +
    "FILE is YAML or JSON: under 'users' the users by name, each with its own 'to' and 'delete', or a list of names (see tongs help files).",
  on: "server",
  effect: "destroy",
  asTool: "none",
  besideApi: { uses: "the header of --sudo itself" },
  args: { name: any("usernames", { dash: "lines", source: "account" }) },
  flags: {
    file: inputFile("read the users from a file"),
    to: text("hand over to this user, or only repositories to this organization", {
      placeholder: "USER",
      source: "account",
    }),
    delete: toggle("delete the accounts at the end"),
    plan: toggle("show what would be done, without changing anything"),
    journal: text("journal file (default: FILE.journal, or offboard.journal)", {
      names: "output file",
      placeholder: "FILE",
    }),
    resume: toggle("continue after an interruption"),
  },
  output: list(outcome),
  exits: {
    usage: "the file has errors, or names what does not exist; nothing was sent",
    refused: "nobody could be offboarded",
    partly: "some users could not be offboarded, or only in part",
  },
  examples: [
    ["Show what somebody who leaves has", "tongs user offboard jonas --to mara --plan"],
    ["Hand over and block the account", "tongs user offboard jonas --to mara"],
    ["Offboard many users from a file", "tongs user offboard --file leavers.yml --yes"],
  ],
  async run(context) {
    const { flags, http, options, prompt, out } = context;
    const journal = await journalOf(context, context.args.name, flags);
    const { leavers, fault, check } = journal;
    const writes = !flags.plan && !options.dryRun;
    if (writes) requireFile(journal.path);
    const lock = writes ? await lockFiles([journal.path], words.noun) : undefined;
    try {
      const whose = { ...words, ...journalServer(context), hash: journal.hash, resume: flags.resume };
      const earlier = readEarlier(resumedEntries(journal.path, whose, journal.other));
      const open = leavers.filter(({ name }) => !earlier.done.has(name.toLowerCase()));
      const reads = readsAs(http);
      const begun = await leftOf(
        context,
        open.flatMap(({ name }) => earlierPlan(earlier.plans.get(name.toLowerCase()))),
        leavers,
        reads,
      );
      const fresh = open.filter(({ name }) => !earlier.plans.has(name.toLowerCase()));
      // What changed since the first run stops only those whom it is about.
      const since: { readonly name: string; readonly what: string }[] = [];
      const add = flags.resume ? (name: string, what: string) => since.push({ name, what }) : fault;
      const ids = flags.resume
        ? keptIds(completeLines(journal.path, words)[0]?.["command"])
        : new Map<string, number>();
      const leaving = await planLeaving(context, fresh, leavers, add, reads, ids);
      check();
      const planned = leaving.map((plan) => {
        const more = since.filter(({ name }) => isName(name, plan.leaver.name));
        return personPlan({ ...plan, stops: [...more.map(({ name, what }) => `${name} ${what}`), ...plan.stops] });
      });
      for (const { leaver, isGone } of leaving) if (isGone === true) out.note(goneText(leaver.name));
      const all = [...planned, ...begun];
      const plans = [
        ...all.filter(({ stops }) => stops.length > 0),
        ...begun.filter(({ stops }) => stops.length === 0),
        ...planned.filter(({ stops }) => stops.length === 0),
      ];
      const heirs = new Map(leavers.map(({ name, to }) => [name.toLowerCase(), to]));
      if (flags.plan) {
        const foreseen = await foreseeReviews(context, plans, heirs);
        return await printPlan({ plans: foreseen, describe, waits: waitsFor }, context);
      }
      if (!options.yes) for (const plan of plans) out.note(planText(plan));
      const ready = plans.filter(({ stops }) => stops.length === 0).length;
      const users = `${ready} ${ready === 1 ? "user" : "users"}`;
      if (ready > 0)
        await prompt.confirmAction({
          what: `Offboard ${users} on ${addressText(context.server.base)}`,
          sends: undefined,
        });
      const people = {
        words,
        plans,
        describe,
        take: (step: LeaveStep, { kept }: PersonPlan<LeaveStep>) => takeStep(context, step, kept as Leaver, heirs),
        waits: waitsFor,
        changed: ({ kept }: PersonPlan<LeaveStep>) => changedSince(http, kept as Leaver),
      };
      const accounts = leaving.flatMap(({ leaver: { name, id, to, heirId } }) => [
        [name, id] as const,
        [to, heirId] as const,
      ]);
      const read = accounts.filter(([name, id]) => name !== undefined && id !== undefined);
      const about = { ...journal, kept: { ...journal.kept, ids: Object.fromEntries(read) } };
      const exit = await runPeople(people, openPeopleJournal(about, words, context), journal, context);
      if (writes && exit === undefined && journal.isInCwd) rmSync(journal.path);
      return exit;
    } finally {
      lock?.release();
    }
  },
});

interface Flags {
  readonly file: string | undefined;
  readonly to: string | undefined;
  readonly delete: boolean;
  readonly journal: string | undefined;
  readonly resume: boolean;
}

interface OffboardJournal extends PeopleJournal {
  readonly kept: { readonly leavers: readonly Leaver[] };
  readonly leavers: readonly Leaver[];
  /** That there is the journal of another server, if there is. */
  readonly other: string | undefined;
  /** Whether it is in the current folder, because there is no file that it can be next to. */
  readonly isInCwd: boolean;
  readonly fault: (name: string, what: string) => void;
  /** Throws a usage error for the faults. */
  readonly check: () => void;
}

/** The leavers: as they are named, from the file, or with --resume alone from the journal; and the journal. */
async function journalOf(
  context: BaseContext & ServerContext,
  typed: readonly string[],
  { file, to, delete: isDeleted, journal, resume }: Flags,
): Promise<OffboardJournal> {
  const { server, system } = context;
  if (file !== undefined && typed.length > 0) throw new UsageError("Specify either NAME or --file, not both");
  const isStream = file === undefined || file === "-";
  const named = isStream ? "offboard.journal" : `${file}.journal`;
  const { path, other } =
    journal === undefined
      ? journalAt(fullPath(named, system), words, context)
      : { path: followLinks(fullPath(journal, system)) };
  let leavers: readonly Leaver[];
  const faults: string[] = [];
  let fault = (name: string, what: string): void => {
    faults.push(`${name} ${what}`);
  };
  let check = () => {
    const [first, ...more] = faults;
    if (first !== undefined) throw new UsageError(first, more.join("\n") || "Nothing was changed.");
  };
  if (file !== undefined) {
    const people = await readPeopleFile(file, ["to", "delete", "users"], system);
    const [all, gone] = [
      people.text(people.top.get("to"), ["to"]),
      people.toggle(people.top.get("delete"), ["delete"]),
    ];
    leavers = [...people.users(["to", "delete"])].map(([name, own]) => ({
      name,
      to: people.text(own.get("to"), ["users", name, "to"]) ?? all ?? to,
      isDeleted: people.toggle(own.get("delete"), ["users", name, "delete"]) ?? gone ?? isDeleted,
    }));
    people.check();
    fault = (name, what) => people.fault(["users", name], what);
    check = () => people.check();
  } else if (typed.length > 0) {
    const names = new Map((await readTargets(typed, system)).map((name) => [name.toLowerCase(), name]));
    leavers = [...names.values()].map((name) => ({ name, to, isDeleted }));
  } else {
    if (!resume) throw new UsageError("Missing argument NAME (usernames)", "Pass usernames, or --file FILE.");
    requireJournal(path, { host: addressText(server.base) }, other);
    leavers = keptLeavers(completeLines(path, words)[0]?.["command"], path);
  }
  const kept = { leavers };
  const hash = createHash("sha256").update(JSON.stringify(kept)).digest("hex");
  const continuing = commandOn(server, `tongs user offboard --resume --journal ${quoted(path)}`);
  const isInCwd = journal === undefined && isStream;
  return { path, other, hash, resume, kept, continuing, leavers, isInCwd, fault, check };
}

function keptLeavers(command: unknown, path: string): readonly Leaver[] {
  const { leavers } = (command ?? {}) as { readonly leavers?: unknown };
  if (!Array.isArray(leavers) || !leavers.every(isLeaver)) throw new UsageError(`${path} does not name its users`);
  return leavers.map(({ name, to, isDeleted }) => ({ name, to, isDeleted }));
}

/** The accounts of the leavers and of who takes over, by lower-case name, as the first run read them. */
function keptIds(command: unknown): ReadonlyMap<string, number> {
  const { ids = {} } = (command ?? {}) as { readonly ids?: Readonly<Record<string, unknown>> };
  return new Map(
    Object.entries(ids).flatMap(([name, id]) => (typeof id === "number" ? [[name.toLowerCase(), id] as const] : [])),
  );
}

/** Why nothing is done for somebody whose account is not the one that was planned for any more. */
async function changedSince(http: Http, leaver: Leaver): Promise<string | undefined> {
  const { name, id } = leaver;
  const other = await otherAccount(http, await findUser(http, name), id, renamedWay);
  if (other === undefined) return otherHeirText(http, leaver);
  return `${name} ${other === "gone" ? "is no user of the server any more" : other}`;
}

async function otherHeirText(http: Http, leaver: Leaver): Promise<string | undefined> {
  const other = await otherHeir(http, leaver);
  return other === undefined ? undefined : `${leaver.name} is handed over to ${other}`;
}

function goneText(name: string): string {
  return `${name} is no user of the server any more: nothing is left to do`;
}

function isLeaver(value: unknown): value is Leaver {
  const { name, to = "", isDeleted } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return typeof name === "string" && typeof to === "string" && typeof isDeleted === "boolean";
}

function personPlan({ leaver, ...plan }: LeavePlan): PersonPlan<LeaveStep> {
  return { name: leaver.name, ...plan, kept: leaver };
}

/** The plan of an earlier run, as its journal has it. */
function earlierPlan(entry: Readonly<Record<string, unknown>> | undefined): PersonPlan<LeaveStep>[] {
  if (entry === undefined || !isLeaver(entry) || !Array.isArray(entry["steps"])) return [];
  const { name, to, isDeleted } = entry;
  const { id, heirId } = entry;
  const ids = { ...(typeof id === "number" ? { id } : {}), ...(typeof heirId === "number" ? { heirId } : {}) };
  const kept: Leaver = { name, to, isDeleted, ...ids };
  return [{ name, steps: entry["steps"] as LeaveStep[], stops: [], stays: [], kept, isBegun: true }];
}

/**
 * The plans of an earlier run as they can be continued: of an account that it deleted before it was killed, nothing is left to
 * do, nothing is done for one that is another one now, and what nobody can take over any more is held.
 */
function leftOf(
  context: ServerContext & Pick<BaseContext, "out">,
  plans: readonly PersonPlan<LeaveStep>[],
  gone: readonly Leaver[],
  reads: Reads,
): Promise<readonly PersonPlan<LeaveStep>[]> {
  const left = async (plan: PersonPlan<LeaveStep>) => {
    const found = await findUser(context.http, plan.name);
    const other = await otherAccount(context.http, found, (plan.kept as Leaver).id, renamedWay);
    if (other !== undefined && other !== "gone") return { ...plan, stops: [`${plan.name} ${other}`] };
    const isDeleted = plan.steps.some(({ step }) => step === "delete");
    if (other === "gone" && !isDeleted) context.out.note(goneText(plan.name));
    if (other === "gone" || (isDeleted && found === undefined)) return { ...plan, steps: [] };
    const heir = plan.steps.length === 0 ? undefined : await otherHeirText(context.http, plan.kept as Leaver);
    if (heir !== undefined) return { ...plan, stops: [heir] };
    const held = await heldSteps(context, plan.steps, (plan.kept as Leaver).to, gone, reads);
    return { ...plan, held };
  };
  return pMap(plans, left, { concurrency: 8 });
}

/** `jonas: block, 2 keys, 1 repository to mara`. */
function planText({ name, steps, stops, kept }: PersonPlan<LeaveStep>): string {
  if (stops.length > 0) return `${name}: stopped: ${stops.join("; ")}`;
  const counts = new Map<string, number>();
  for (const { step } of steps) counts.set(step, (counts.get(step) ?? 0) + 1);
  const { to } = kept as Leaver;
  const parts = [...counts].map(([step, count]) => {
    if (step === "block" || step === "delete") return step;
    return count === 1 ? `1 ${step}` : `${count} ${step.replace(/y$/, "ie")}s`;
  });
  return `${name}: ${parts.join(", ") || "nothing to do"}${to === undefined ? "" : ` (to ${to})`}`;
}
