import { createHash } from "node:crypto";
import pMap from "p-map";
import { defineCommand } from "../../app/define.ts";
import { completeLines, requireJournal, resumedEntries } from "../../app/rows/journal-file.ts";
import { one } from "../../command/args.ts";
import { choice, text, toggle } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import type { Http } from "../../http/client.ts";
import { addressText, commandOn } from "../../profiles/server.ts";
import { list } from "../../shape/shape.ts";
import { followLinks, fullPath } from "../../system/files.ts";
import { quoted } from "../../text/words.ts";
import { importRow } from "./import/apply-row.ts";
import { findUser, readServerState, unknownServerState } from "./import/existing-users.ts";
import { accountsOf, journalOf } from "./import/journal.ts";
import type { OnExisting } from "./import/outcome.ts";
import { checkPasswordFile, openPasswordFile, unsavedPasswords } from "./import/passwords.ts";
import { lockFiles, requireFile } from "./import/source.ts";
import { otherAccount } from "./people/account-now.ts";
import { readPeopleFile } from "./people/file.ts";
import {
  describe,
  type JoinPlan,
  type JoinStep,
  joiningNow,
  planJoining,
  readJoining,
  takeJoinStep,
} from "./people/join-plan.ts";
import { outcome } from "./people/outcome.ts";
import {
  journalAt,
  journalServer,
  openPeopleJournal,
  type PersonPlan,
  printPlan,
  readEarlier,
  runPeople,
} from "./people/run-people.ts";

const words = { by: "tongs user onboard", noun: "onboarding", did: "onboarded" } as const;

const existingChoices = ["skip", "update", "fail"] as const;

/** `tongs user onboard`: creates accounts, adds them to teams and gives them their keys, as a file says. */
export const onboard = defineCommand({
  summary: "Create accounts with their teams and keys from a file",
  details:
    "FILE is YAML or JSON: under 'users', by name, the fields of user import (email, full_name, password, admin, …), the teams by organization under 'organizations', and public SSH keys " +
    "under 'keys' (see tongs help files). The whole file is checked, and its teams are looked up, before anything is sent. --plan shows all steps. What is under way is in a journal " +
    "next to FILE, without passwords, one for each server: after a crash or Ctrl-C, --resume with the same file continues with the same options, and does nothing twice.",
  on: "server",
  effect: "write",
  asTool: "none",
  args: { file: one("file with the users", { names: "input file" }) },
  flags: {
    plan: toggle("show what would be done, without changing anything"),
    onExisting: choice(existingChoices, "what to do with accounts that already exist (default: fail)"),
    generatePasswords: text("generate missing passwords and save them to this new file", {
      names: "output file",
      placeholder: "FILE",
    }),
    journal: text("journal file (default: FILE.journal)", { names: "output file", placeholder: "FILE" }),
    resume: toggle("continue after an interruption"),
  },
  output: list(outcome),
  exits: {
    usage: "the file has errors, or names what does not exist; nothing was sent",
    refused: "nobody could be onboarded",
    partly: "some users could not be onboarded, or only in part",
  },
  examples: [
    ["Show what would be done", "tongs user onboard newcomers.yml --plan --generate-passwords passwords.csv"],
    [
      "Create the accounts with generated passwords",
      "tongs user onboard newcomers.yml --generate-passwords passwords.csv",
    ],
  ],
  async run(context) {
    const { args, flags, http, options, server, system } = context;
    if (args.file === "-") throw new UsageError("FILE must be a file: a resumed run reads it again");
    const writes = !flags.plan && !options.dryRun;
    const { path, other } =
      flags.journal === undefined
        ? journalAt(fullPath(`${args.file}.journal`, system), words, context)
        : { path: followLinks(fullPath(flags.journal, system)) };
    if (flags.resume) requireJournal(path, { host: addressText(server.base) }, other);
    const first = flags.resume ? keptOptions(completeLines(path, words)[0]?.["command"]) : {};
    const { onExisting = first.on_existing ?? "fail", generatePasswords = first.generate_passwords } = flags;
    const passwordPath = generatePasswords === undefined ? undefined : fullPath(generatePasswords, system);
    const locked = [path, ...(passwordPath === undefined ? [] : [passwordPath])];
    if (writes) for (const one of locked) requireFile(one);
    const file = await readPeopleFile(args.file, ["users"], system);
    const people = readJoining(file, passwordPath === undefined && onExisting === "fail");
    file.check();
    const lock = writes ? await lockFiles(locked, words.noun) : undefined;
    try {
      const hash = createHash("sha256").update(JSON.stringify(people)).digest("hex");
      const entries = resumedEntries(path, { ...words, ...journalServer(context), hash, resume: flags.resume });
      const earlier = readEarlier(entries);
      const accounts = accountsOf(entries);
      const open = people.filter(({ name }) => !earlier.done.has(name.toLowerCase()));
      // Who was begun has an account that this run made, or is to find out.
      const left = open.flatMap((joining) => {
        const { steps, id: planned } = earlier.plans.get(joining.name.toLowerCase()) ?? {};
        const id = accounts.get(joining.row.line) ?? (typeof planned === "number" ? planned : undefined);
        return Array.isArray(steps) ? [{ joining, id, steps: steps as JoinStep[] }] : [];
      });
      const begun = await pMap(
        left,
        async ({ joining, id, steps }) => {
          const now = await joiningNow(http, steps);
          const plan = personPlan({ joining, id, steps: now.steps, stops: [] });
          const other = steps.length === 0 ? undefined : await changedSince(http, plan);
          return { ...plan, stops: other === undefined ? [] : [other], held: now.held, isBegun: true };
        },
        { concurrency: 8 },
      );
      const fresh = open.filter(({ name }) => !earlier.plans.has(name.toLowerCase()));
      const planned = (await planJoining(context, fresh, onExisting, file)).map(personPlan);
      // In the same run as what else is wrong.
      if (file.isFaulty)
        for (const { name, stops } of planned) for (const stop of stops) file.fault(["users", name], stop);
      file.check();
      const isStopped = ({ stops }: { readonly stops: readonly string[] }) => stops.length > 0;
      const ready = [...begun, ...planned].filter((plan) => !isStopped(plan));
      const plans = [...planned.filter(isStopped), ...begun.filter(isStopped), ...ready];
      const waits = (_step: JoinStep, failed: readonly { readonly step: string }[]) =>
        failed.some(({ step }) => step === "account");
      if (flags.plan) return await printPlan({ plans, describe, waits }, context);
      if (passwordPath !== undefined && writes) checkPasswordFile(passwordPath, flags.resume);
      const own = flags.journal === undefined ? "" : ` --journal ${quoted(flags.journal)}`;
      const continuing = commandOn(server, `tongs user onboard ${quoted(args.file)} --resume${own}`);
      const kept: Kept = {
        file: fullPath(args.file, system),
        on_existing: onExisting,
        ...(passwordPath === undefined ? {} : { generate_passwords: passwordPath }),
      };
      const about = { path, hash, resume: flags.resume, kept, continuing };
      const journal = openPeopleJournal(about, words, context);
      const names = new Set(people.map(({ name }) => name.toLowerCase()));
      const listed = { names: { has: (name: string) => names.has(name.toLowerCase()) } };
      const passwords =
        passwordPath === undefined ? undefined : writes ? openPasswordFile(passwordPath) : unsavedPasswords;
      const rows = {
        http,
        server,
        continuing,
        journal: journalOf(journal),
        passwords,
        serverState: options.dryRun ? unknownServerState : readServerState(http, listed, open.length),
        onExisting,
        signal: system.signal,
      };
      const take = async (step: JoinStep, plan: PersonPlan<JoinStep>) => {
        if (step.step !== "account") return takeJoinStep(http, step, plan.name);
        const row = rowOf.get(plan.name);
        if (row === undefined || rows.journal.done.has(row.line)) return false;
        const { outcome: made, recorded } = await importRow(row, rows);
        await recorded;
        if (made.action === "failed" || made.action === "unknown")
          throw new Failure("invalid", made.reason ?? "the account could not be created");
        return made.action === "created" || made.action === "updated";
      };
      const rowOf = new Map(people.map(({ name, row }) => [name, row]));
      try {
        const changed = (plan: PersonPlan<JoinStep>) => changedSince(http, plan);
        return await runPeople({ words, plans, describe, take, waits, changed }, journal, about, context);
      } finally {
        // Last, as it fails if the disk is full.
        passwords?.close();
      }
    } finally {
      lock?.release();
    }
  },
});

/** What the journal keeps of the command line, without secrets. */
interface Kept {
  readonly file: string;
  readonly on_existing?: OnExisting;
  readonly generate_passwords?: string;
}

/** The options of the run that is continued, as its journal has them. */
function keptOptions(command: unknown): Partial<Kept> {
  const { on_existing, generate_passwords: passwords } = (command ?? {}) as Readonly<Record<string, unknown>>;
  const onExisting = existingChoices.find((one) => one === on_existing);
  return {
    ...(onExisting === undefined ? {} : { on_existing: onExisting }),
    ...(typeof passwords === "string" ? { generate_passwords: passwords } : {}),
  };
}

function personPlan({ joining, id, steps, stops }: JoinPlan): PersonPlan<JoinStep> {
  return { name: joining.name, steps, stops, stays: [], kept: id === undefined ? {} : { id } };
}

/** Why nothing is done for somebody whose account is not the one that was made or found. One that is gone can be made again. */
async function changedSince(http: Http, { name, steps, kept }: PersonPlan<JoinStep>): Promise<string | undefined> {
  const { id } = kept as { readonly id?: number };
  if (id === undefined) return undefined;
  const way = "rename it back, or onboard that name with --on-existing skip and another --journal";
  const other = await otherAccount(http, await findUser(http, name), id, way);
  if (other !== "gone") return other === undefined ? undefined : `${name} ${other}`;
  return steps.some(({ step }) => step === "account") ? undefined : `${name} is no user of the server any more`;
}
