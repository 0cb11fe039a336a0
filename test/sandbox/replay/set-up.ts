import type { Person } from "../../../src/sandbox/options.ts";
import type { Delays } from "../../../src/sandbox/site.ts";

export const root: Person = { name: "root1", password: "not-a-secret-1", email: "root1@example.org", is_admin: true };
export const person = (name: string, more: Partial<Person> = {}): Person => ({
  name,
  password: "not-a-secret",
  email: `${name}@example.org`,
  ...more,
});

/** Who and what is there before the first exchange of a file. */
export interface SetUp {
  readonly people: readonly Person[];
  readonly steps: readonly Step[];
  /** What happened between two exchanges without being recorded. */
  readonly between?: readonly Unrecorded[];
  /** How fast the recorded server was. */
  readonly delays?: Partial<Delays>;
}

export interface Unrecorded {
  /** The place of the exchange that followed, in the first file or in this one. */
  readonly before: number;
  readonly of?: string;
  /** When, if not at the time of that exchange. */
  readonly at?: string;
  readonly step: Step;
}

export interface Step {
  readonly as: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}
