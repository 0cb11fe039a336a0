import { text, toggle } from "../../command/flags.ts";

/** Whose Actions are meant; without one of these, the repository's. */
export const levelFlags = {
  org: text("those of this organization", { placeholder: "ORG" }),
  user: toggle("your own"),
  admin: toggle("those of the whole server"),
};
