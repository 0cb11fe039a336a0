import { defineCommand } from "../../../app/define.ts";
import { bodyOf } from "../../../app/fields.ts";
import { currentUser } from "../../../app/shared.ts";
import { one } from "../../../command/args.ts";
import { choice, text, yesNo } from "../../../command/flags.ts";
import { UsageError } from "../../../failure/failure.ts";
import { organization, visibilities } from "../../../forge/users.ts";
import { accountLabel, addressText } from "../../../profiles/server.ts";
import { nameProblem } from "../../user/rules.ts";

const fields = {
  fullName: text("full name", { placeholder: "NAME" }),
  email: text("contact address", { placeholder: "EMAIL" }),
  description: text("description"),
  website: text("address of the website", { placeholder: "URL" }),
  location: text("where the organization is"),
  visibility: choice(visibilities, "who can see the organization"),
  repoAdminChangeTeamAccess: yesNo("administrators of a repository can add teams to it"),
};

/** `tongs admin org create`: POST /admin/users/{username}/orgs. */
export const create = defineCommand({
  summary: "Create an organization for a user",
  on: "server",
  effect: "write",
  args: { name: one("name of the organization") },
  flags: { owner: text("user who owns the organization (default: you)", { placeholder: "USER" }), ...fields },
  output: organization,
  examples: [["Create an organization that mara owns", "tongs admin org create tidewater --owner mara"]],
  async run(context) {
    const { args, flags, forge, out, server } = context;
    const problem = nameProblem(args.name);
    if (problem !== undefined) throw new UsageError(problem.replace("user name", "Organization name"));
    const owner = flags.owner ?? (await currentUser(context));
    const record = await forge.admin.createOrganization(owner, { username: args.name, ...bodyOf(fields, flags) });
    const prints = `${addressText(server.base)}/${encodeURIComponent(record.name)}`;
    await out.done(`Created organization ${record.name}, owned by ${owner} ${accountLabel(server)}`, {
      prints,
      record,
    });
  },
});
