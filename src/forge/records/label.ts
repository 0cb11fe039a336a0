import { boolean, type Infer, integer, record, string } from "./shape.ts";

/** A label of a repository or an organization; `color` is six hex digits without `#`. */
export const label = record({
  id: integer,
  name: string,
  exclusive: boolean,
  is_archived: boolean,
  color: string,
  description: string,
  url: string,
});

export type Label = Infer<typeof label>;
