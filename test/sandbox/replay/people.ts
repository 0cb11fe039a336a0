import type { Person } from "../../../src/sandbox/options.ts";

export const root: Person = { name: "root1", password: "not-a-secret-1", email: "root1@example.org", is_admin: true };
export const person = (name: string, more: Partial<Person> = {}): Person => ({
  name,
  password: "not-a-secret",
  email: `${name}@example.org`,
  ...more,
});
