import { boolean, type Infer, integer, record, string } from "./shape.ts";

/** A mail address of a user. */
export const email = record({
  email: string,
  verified: boolean,
  primary: boolean,
  user_id: integer,
  username: string,
});

export type Email = Infer<typeof email>;
