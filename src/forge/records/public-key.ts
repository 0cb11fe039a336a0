import { boolean, type Infer, integer, nullable, optional, record, string, time } from "./shape.ts";
import { user } from "./user.ts";

/** A public SSH key of a user (api-facts 1.3). */
export const publicKey = record({
  id: integer,
  key: string,
  url: optional(string),
  title: optional(string),
  fingerprint: optional(string),
  created_at: time,
  last_used_at: optional(time),
  user: optional(nullable(user)),
  read_only: optional(boolean),
  key_type: optional(string),
});

export type PublicKey = Infer<typeof publicKey>;
