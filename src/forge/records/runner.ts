import { boolean, type Infer, integer, list, nullable, optional, record, string } from "./shape.ts";

/** A runner (api-facts 1.6); a label's `id` is its position only. */
export const runner = record({
  id: integer,
  name: string,
  status: string,
  busy: boolean,
  disabled: optional(boolean),
  ephemeral: boolean,
  labels: nullable(list(record({ id: integer, name: string, type: string }))),
});

export type Runner = Infer<typeof runner>;

/** What a runner registers with. */
export const registrationToken = record({ token: string });

export type RegistrationToken = Infer<typeof registrationToken>;
