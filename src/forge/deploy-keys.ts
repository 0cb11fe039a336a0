import {
  anything,
  boolean,
  type Infer,
  integer,
  nullable,
  optional,
  serverRecord,
  string,
  time,
} from "../shape/shape.ts";
import { asKey } from "./applied.ts";
import { operation, pagesOf } from "./operation.ts";
import { undoCreate, undoDelete } from "./undo.ts";

/** A deploy key: an SSH key that gives access to one repository. */
export const deployKey = serverRecord(
  "a deploy key",
  {
    id: integer,
    key: optional(string),
    title: optional(string),
    fingerprint: optional(string),
    created_at: optional(time),
    read_only: optional(boolean),
  },
  { key_id: optional(integer), url: optional(string), repository: optional(nullable(anything)) },
);

export type DeployKey = Infer<typeof deployKey>;

export const deployKeyList = operation("GET", "/repos/{owner}/{repo}/keys", { answers: pagesOf(deployKey) });

export const deployKeyGet = operation("GET", "/repos/{owner}/{repo}/keys/{id}", { answers: deployKey });

export const deployKeyAdd = operation("POST", "/repos/{owner}/{repo}/keys", {
  answers: deployKey,
  undo: undoCreate(),
  applied: { reads: { key: asKey(({ key }) => key) } },
});

/** 204 also for an unknown one, 500 for that of another repository (docs/server-differences.md, "Repositories"). */
export const deployKeyDelete = operation("DELETE", "/repos/{owner}/{repo}/keys/{id}", { undo: undoDelete() });
