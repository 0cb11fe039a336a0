import {
  anything,
  boolean,
  type Infer,
  integer,
  list,
  map,
  nullable,
  optional,
  record,
  string,
  time,
} from "./shape.ts";

/** A webhook. `events` come in random order; secrets are never answered (api-facts 3.6.18). */
export const hook = record({
  id: integer,
  name: optional(string),
  type: string,
  branch_filter: string,
  config: nullable(map(string)),
  events: nullable(list(string)),
  authorization_header: string,
  active: boolean,
  updated_at: time,
  created_at: time,
  url: optional(string),
  content_type: optional(string),
  metadata: optional(anything),
});

export type Hook = Infer<typeof hook>;

/** What creates a hook. `active` is false unless said otherwise. */
export interface CreateHookOption {
  readonly type: string;
  readonly config: Readonly<Record<string, string>>;
  readonly events?: readonly string[] | undefined;
  readonly branch_filter?: string | undefined;
  readonly authorization_header?: string | undefined;
  readonly active?: boolean | undefined;
  readonly name?: string | undefined;
}

/** What changes one. The server empties `events`, the filter and the header when they are left out: send all. */
export type EditHookOption = { readonly [K in keyof Omit<CreateHookOption, "type">]?: CreateHookOption[K] | undefined };
