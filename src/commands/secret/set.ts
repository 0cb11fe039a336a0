import { defineCommand } from "../../app/define.ts";
import { readAssignments } from "../../app/settings/assignments.ts";
import { setArgs, setFlags, settingLevel } from "../../app/settings/level.ts";
import { action, applyPlan, type Change } from "../../app/settings/plan.ts";
import { levelExclusive, levelFlags, ownerName } from "../../app/shared.ts";
import { toggle } from "../../command/flags.ts";
import type { SettingLevel } from "../../forge/level.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { type Secret, secret, secretList, secretSet, setSecret } from "../../forge/secrets.ts";
import type { Http } from "../../http/client.ts";
import { UnknownOperationError } from "../../http/errors.ts";
import { list as listOf, record } from "../../shape/shape.ts";

/** `tongs secret set`: PUT each secret. Values are read from files, stdin or a prompt, never from the command line. */
export const set = defineCommand({
  summary: "Create or update secrets",
  details:
    "The value comes from a file, stdin or a prompt; a final line break is removed. With --env-file, shows which " +
    "secrets will be created or updated, then sets them; a value with a # must be quoted. Servers store names in upper case, and never return values. " +
    "JSON output has the additional field action.",
  on: "server",
  fieldsOf: secretSet,
  effect: "write",
  args: setArgs("secret"),
  flags: {
    ...levelFlags,
    ...setFlags("secret"),
    plan: toggle("print what would be done, and change nothing"),
  },
  exclusive: [...levelExclusive, ["bodyFile", "envFile"], ["envFile", "description"]],
  output: listOf(record({ ...secret.fields, action })),
  exits: { partly: "some secrets were set, some failed" },
  examples: [
    ["Set a secret of the current repository, prompting for the value", "tongs secret set DEPLOY_KEY"],
    ["Set a secret from a file", "tongs secret set DEPLOY_KEY --body-file deploy.pem"],
    ["Set the secrets of an organization from a file", "tongs secret set --org tidewater -f harbor.env"],
  ],
  async run(context) {
    const { args, flags, http } = context;
    const owner = await settingLevel("secret", flags, context);
    const source = { kind: "secret", body: undefined, bodyFile: flags.bodyFile, envFile: flags.envFile } as const;
    const assignments = await readAssignments({ ...source, name: args.name }, context);
    const known = await knownSecrets(http, owner);
    const changes = assignments.map(({ name: typed, value: data }): Change => {
      const name = typed.toUpperCase();
      const old = known?.get(name);
      const description = flags.description ?? old?.description;
      return {
        name,
        action: known === undefined ? "set" : old === undefined ? "create" : "update",
        before: old ?? {},
        apply: async () => ((await setSecret(http, owner, name, { data, description })) ? "created" : "updated"),
        after: async () => (await knownSecrets(http, owner))?.get(name) ?? { name },
      };
    });
    return applyPlan(
      changes,
      { kind: "secret", owner: ownerName(owner), isShown: flags.envFile !== undefined, planOnly: flags.plan },
      context,
    );
  },
});

/** The secrets by name; undefined if the server does not list them, as those of a user. */
async function knownSecrets(http: Http, owner: SettingLevel): Promise<ReadonlyMap<string, Secret> | undefined> {
  try {
    return new Map(
      (await collect(call(http, secretList, { level: owner }))).map((one) => [one.name.toUpperCase(), one]),
    );
  } catch (error) {
    if (error instanceof UnknownOperationError) return undefined;
    throw error;
  }
}
