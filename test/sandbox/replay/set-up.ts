import type { Person } from "../../../src/sandbox/options.ts";
import type { Delays } from "../../../src/sandbox/site.ts";

export const root: Person = { name: "root1", password: "not-a-secret-1", email: "root1@example.org", is_admin: true };
export const person = (name: string, more: Partial<Person> = {}): Person => ({
  name,
  password: "not-a-secret",
  email: `${name}@example.org`,
  ...more,
});

/** The users and requests to set up before the first exchange of a file. */
export interface SetUp {
  readonly people: readonly Person[];
  readonly steps: readonly Step[];
  /** Requests made between two exchanges that were not recorded. */
  readonly between?: readonly Unrecorded[];
  /** The delays of the recorded server. */
  readonly delays?: Partial<Delays>;
}

export interface Unrecorded {
  /** The index of the exchange that followed, in `of` or else in the first file. */
  readonly before: number;
  readonly of?: string;
  /** The time (default: that of the exchange). */
  readonly at?: string;
  readonly step: Step;
}

export interface Step {
  readonly as: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}
