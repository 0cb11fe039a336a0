import type { BaseContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { doneEdit } from "../../app/done-edit.ts";
import { bodyOf, changedList, changedNames, flagsOf } from "../../app/fields.ts";
import { readSecretFile } from "../../app/input.ts";
import { type FlagValues, inputFile, names, text, wholeList, yesNo } from "../../command/flags.ts";
import { Failure } from "../../failure/failure.ts";
import { under } from "../../forge/applied.ts";
import type { EditRepoOption } from "../../forge/generated/operations.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { editRepo, repoEdit, withUnits } from "../../forge/repo-settings.ts";
import { type Repository, repoGet, repoSettings, repository, unitRecords } from "../../forge/repos.ts";
import { topicList, topicsSet } from "../../forge/topics.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";
import type { System } from "../../system/system.ts";
import { repoArgument } from "./arguments.ts";
import { explainNameTaken } from "./rename.ts";

/** The flags for the fields of `PATCH /repos/{owner}/{repo}` that are sent as they are. */
const editFields = {
  name: text("new name", { placeholder: "NAME" }),
  ...flagsOf(repoSettings),
  wikiBranch: text("branch of the wiki", { placeholder: "BRANCH" }),
  mirrorInterval: text("interval of a pull mirror: 8h0m0s", { placeholder: "DURATION" }),
  enablePrune: yesNo("prune a pull mirror"),
  mirrorUsername: text("username for the source of a pull mirror", { placeholder: "USER" }),
};

/** The flags of the three records within the body. */
const trackerFields = flagsOf(unitRecords.external_tracker.settings);
const internalFields = flagsOf(unitRecords.internal_tracker.settings);
const wikiFields = flagsOf(unitRecords.external_wiki.settings);

/** The flags for topics, which another operation sets. */
const topicFlags = {
  topic: wholeList("set the topics, replacing all others; '' removes all", { placeholder: "TOPIC" }),
  addTopic: names("add topics", { placeholder: "TOPIC" }),
  removeTopic: names("remove topics", { placeholder: "TOPIC", opposite: "addTopic" }),
};

/** The flags for secrets of a pull mirror, which are read from files. */
const secretFlags = {
  mirrorPasswordFile: inputFile("read the password for the source of a pull mirror from a file", { names: "password" }),
  mirrorTokenFile: inputFile("read the token for the source of a pull mirror from a file", { names: "password" }),
};

const flags = {
  ...editFields,
  ...trackerFields,
  ...internalFields,
  ...wikiFields,
  ...topicFlags,
  ...secretFlags,
};

function keysOf<F extends object>(fields: F): (keyof F & string)[] {
  return Object.keys(fields) as (keyof F & string)[];
}

type EditContext = Pick<BaseContext, "options" | "out" | "prompt"> & { readonly repo: RepoName };

/** `tongs repo edit`: PATCH the repository with the given fields, and PUT its topics. */
export const edit = defineCommand({
  summary: "Edit a repository",
  details:
    "Each field of the API is a flag; a feature is switched on with --has-issues and off with --no-has-issues. Fields that " +
    "the server silently ignores, such as an unknown default branch, are reported as an error after the others were changed. " +
    "Asks before the server's own issue tracker or wiki replaces an external one.",
  on: "repository",
  fieldsOf: repoEdit,
  effect: "write",
  args: { repo: repoArgument },
  flags,
  exclusive: [
    ["topic", "addTopic"],
    ["topic", "removeTopic"],
    // Servers take the external one.
    ...keysOf(trackerFields).flatMap((tracker) => keysOf(internalFields).map((own) => [tracker, own])),
  ],
  output: repository,
  exits: { failure: "the server ignored a field", refused: "the name is taken" },
  examples: [
    ["Allow only squash merges", "tongs repo edit --no-allow-merge-commits --no-allow-rebase --allow-squash-merge"],
    ["Add a topic and set the website", "tongs repo edit mara/harbor --add-topic tides --website https://example.org"],
  ],
  async run(context) {
    const { http, repo, system } = context;
    const values: FlagValues<typeof flags> = context.flags;
    // As servers store them.
    const lower = (list: readonly string[]) => list.map((one) => one.toLowerCase());
    const topic = values.topic && lower(values.topic);
    const [addTopic, removeTopic] = [lower(values.addTopic), lower(values.removeTopic)];
    const hasTopics = topic !== undefined || [...addTopic, ...removeTopic].length > 0;
    const plain = { ...bodyOf(editFields, values), ...(await secretsOf(values, system)) };
    const units = Object.entries({
      external_tracker: bodyOf(trackerFields, values),
      internal_tracker: bodyOf(internalFields, values),
      external_wiki: bodyOf(wikiFields, values),
    }).filter(([, fields]) => Object.keys(fields).length > 0);
    const nested = units.flatMap(([, fields]) => Object.entries(fields));
    const given = { ...plain, ...Object.fromEntries(nested), topics: hasTopics || undefined };
    const asked = changedNames(given);
    const before = await call(http, repoGet, { repo });
    const body: EditRepoOption = { ...withUnits(Object.fromEntries(units), before), ...plain };
    const names = [...asked, ...switchedOn(body, before).filter((name) => !asked.includes(name))];
    requireMirror(body, before, repo);
    await confirmReplaced(body, before, context);
    const isEdited = Object.keys(body).length > 0;
    const edited = isEdited
      ? await editRepo(http, repo, body, before).catch((error: unknown) => {
          throw explainNameTaken(error, repo.owner, plain.name);
        })
      : before;
    if (hasTopics) {
      const changed = async () =>
        changedList(await collect(call(http, topicList, { repo })), { add: addTopic, remove: removeTopic });
      const next = topic ?? (await changed()) ?? [];
      await call(http, topicsSet, { repo: { owner: repo.owner, name: edited.name ?? repo.name } }, { topics: next });
    }
    const record = () =>
      hasTopics ? call(http, repoGet, { repo: { owner: repo.owner, name: edited.name ?? repo.name } }) : edited;
    await doneEdit(context, { said: `Updated ${edited.full_name}`, names, what: fullName(repo), record });
  },
});

async function secretsOf(values: FlagValues<typeof secretFlags>, system: System) {
  const password = await readSecretFile("--mirror-password-file", values.mirrorPasswordFile, system);
  const token = await readSecretFile("--mirror-token-file", values.mirrorTokenFile, system);
  return {
    ...(password === undefined ? {} : { mirror_password: password }),
    ...(token === undefined ? {} : { mirror_token: token }),
  };
}

/** The features that are off and that the settings of a tracker or a wiki switch on. */
function switchedOn(body: EditRepoOption, before: Repository): string[] {
  return (["has_issues", "has_wiki"] as const).filter((name) => body[name] === true && under(name)(before) === false);
}

/** Throws for a sign-in at the source where there is none: servers ignore it, and do not say so. */
function requireMirror(body: EditRepoOption, { mirror }: Repository, repo: RepoName): void {
  const { mirror_username, mirror_password, mirror_token } = body;
  if ((mirror_username ?? mirror_password ?? mirror_token) !== undefined && mirror === false)
    throw new Failure("not_a_mirror", `${fullName(repo)} is not a pull mirror, and has no source to sign in to`);
}

/** Asks before the tracker or the wiki of the server takes the place of an external one; says so if nothing is asked. */
async function confirmReplaced(body: EditRepoOption, before: Repository, context: EditContext): Promise<void> {
  const { options, out, prompt, repo } = context;
  const tracker = under("external_tracker.external_tracker_url")(before);
  const wiki = under("external_wiki.external_wiki_url")(before);
  const replaced = [
    ...(body.has_issues === true && body.external_tracker === undefined && tracker !== undefined
      ? [`external tracker ${String(tracker)}`]
      : []),
    ...(body.has_wiki === true && body.external_wiki === undefined && wiki !== undefined
      ? [`external wiki ${String(wiki)}`]
      : []),
  ].join(" and the ");
  if (replaced === "") return;
  const what = `Replace the ${replaced} of ${fullName(repo)} by that of the server`;
  if (options.yes || options.dryRun) out.warn(`This replaces the ${replaced} of ${fullName(repo)}`);
  await prompt.confirmAction({ what, sends: repoEdit });
}
