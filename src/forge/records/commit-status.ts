import { type Infer, integer, nullable, record, string, time } from "./shape.ts";
import { user } from "./user.ts";

/** One report on a commit (api-facts 3.5.5). `status` is stored unchecked: it may be empty or an unknown word. */
export const commitStatus = record({
  id: integer,
  status: string,
  target_url: string,
  description: string,
  url: string,
  context: string,
  creator: nullable(user),
  created_at: time,
  updated_at: time,
});

export type CommitStatus = Infer<typeof commitStatus>;
