import { type Infer, integer, record, string } from "./shape.ts";

/** A badge. Its keys are capitalised on the wire, other than documented (api-facts 1.7). */
export const badge = record({ ID: integer, Slug: string, Description: string, ImageURL: string });

export type Badge = Infer<typeof badge>;
