import { createHash } from "node:crypto";
import { addressText, type Server } from "../profiles/server.ts";
import { mismatch } from "../shape/mismatch.ts";
import { type Infer, integer, map, record, string } from "../shape/shape.ts";
import type { System } from "../system/system.ts";
import { readState, writeState } from "./state-file.ts";

const file = "waiting.json";

/** How many accounts are kept: those that were asked last. */
const maxAccounts = 50;

/** How much waits for one account, as `tongs status` last saw it: numbers only, no titles. */
const waiting = record({
  /** When the server was asked, RFC 3339. */
  at: string,
  /** How many items of each kind: `review_requested`, `assigned`, `failing`, `notification`. */
  counts: map(integer),
});

/** By the account. */
const stored = map(waiting);

export type Waiting = Infer<typeof waiting>;

/** Keeps the numbers of accounts, in `waiting.json` in the state folder. A folder that cannot be written to is no error. */
export function keepWaiting(system: Pick<System, "env">, accounts: ReadonlyMap<string, Waiting>): void {
  const others = Object.entries(readStored(system)).filter(([account]) => !accounts.has(account));
  try {
    writeState(system, file, Object.fromEntries([...others, ...accounts].slice(-maxAccounts)));
  } catch {
    // They are asked for again.
  }
}

/** The numbers that were kept last of an account; undefined if there are none that can be read. */
export async function keptWaiting(system: Pick<System, "env">, server: Server): Promise<Waiting | undefined> {
  return readStored(system)[await accountOf(server)];
}

/** `mara on https://git.example.org`; a token of the environment, whose user is not known, is told apart by its SHA-256. */
export async function accountOf(server: Server): Promise<string> {
  const { user, profile, base } = server;
  const digest = async () =>
    createHash("sha256")
      .update(`${await server.token()}`)
      .digest("hex");
  return `${user ?? profile ?? (await digest())} on ${addressText(base)}`;
}

function readStored(system: Pick<System, "env">): Readonly<Record<string, Waiting>> {
  const value = readState(system, file);
  return mismatch(stored, value) === undefined ? (value as Readonly<Record<string, Waiting>>) : {};
}
