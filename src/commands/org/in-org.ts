import { one } from "../../command/args.ts";

/** Where the members of an organization are, and the users that it blocks: its name is the first argument of every verb. */
export const inOrg = {
  on: "server",
  args: { org: one("organization") },
  place: ({ args }: { readonly args: { readonly org: string } }) => args.org,
  where: (org: string) => `organization ${org}`,
} as const;
