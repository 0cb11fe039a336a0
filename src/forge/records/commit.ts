import { anything, boolean, type Infer, integer, list, nullable, optional, record, string, time } from "./shape.ts";
import { user } from "./user.ts";

const commitUser = record({ name: string, email: string, date: string });
const commitMeta = record({ url: string, sha: string, created: time });
const verification = record({
  verified: boolean,
  reason: string,
  signature: string,
  signer: nullable(anything),
  payload: string,
});

/** A commit (api-facts 1.5). `author` and `committer` are accounts matched by e-mail, or null. */
export const commit = record({
  url: string,
  sha: string,
  created: time,
  html_url: string,
  commit: nullable(
    record({
      url: string,
      author: nullable(commitUser),
      committer: nullable(commitUser),
      message: string,
      tree: nullable(commitMeta),
      verification: nullable(verification),
    }),
  ),
  author: nullable(user),
  committer: nullable(user),
  parents: nullable(list(commitMeta)),
  files: nullable(list(record({ filename: string, status: string }))),
  stats: nullable(record({ total: integer, additions: integer, deletions: integer })),
});

export type Commit = Infer<typeof commit>;

/** A file that a pull request changes; edits have the status `changed`, not `modified`. */
export const changedFile = record({
  filename: string,
  previous_filename: optional(string),
  status: string,
  additions: integer,
  deletions: integer,
  changes: integer,
  html_url: optional(string),
  contents_url: optional(string),
  raw_url: optional(string),
});

export type ChangedFile = Infer<typeof changedFile>;
