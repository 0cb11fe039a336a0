import { attachDetails, attachFlags, readAttached } from "../../app/attach/attach.ts";
import { planUploads } from "../../app/attach/plan.ts";
import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { requireQuota } from "../../app/quota.ts";
import { readUploadFiles, requireNames, type UploadFile } from "../../app/upload-files.ts";
import { repoPage } from "../../app/web.ts";
import { any, one } from "../../command/args.ts";
import { type FlagValues, text, toggle } from "../../command/flags.ts";
import { Failure, UsageError, unlessFailed, withHint } from "../../failure/failure.ts";
import type { CreateReleaseOption } from "../../forge/generated/operations.ts";
import { call } from "../../forge/operation.ts";
import { type Release, release, releaseCreate, releaseEdit, releaseGetByTag } from "../../forge/releases.ts";
import { repoGet } from "../../forge/repos.ts";
import { explainUnknownCommit } from "../../forge/resolve-commit.ts";
import { tagCreate, tagGet } from "../../forge/tags.ts";
import { isBranchName } from "../../git/refs.ts";
import { NotFoundError, RefusedError, ServerError } from "../../http/errors.ts";
import { mayHaveActed } from "../../http/no-answer-error.ts";
import { accountLabel, addressText, commandIn } from "../../profiles/server.ts";
import { keepingText } from "../../prompts/keep-text.ts";
import { fullName } from "../../repo/repo-name.ts";
import { quoted } from "../../text/words.ts";
import { assetsSubject, uploadAssets, uploadCommand } from "./assets.ts";
import { assetsOf, releaseName } from "./find-release.ts";
import { notesFlags, notesFromTag } from "./notes.ts";
import { releaseText, settingFlags } from "./text.ts";

const flags = {
  ...settingFlags,
  ...notesFlags,
  notesFromTag,
  generateNotes: toggle("generate release notes from the pull requests merged since the last release"),
  notesStartTag: text("tag to start the generated notes from", { placeholder: "TAG", source: "tag" }),
  tagMessage: text("create an annotated tag with this message", { needs: [tagCreate] }),
  verifyTag: toggle("fail if the tag does not exist"),
  draft: toggle("save the release as a draft", { short: "d" }),
  prerelease: toggle("mark the release as a prerelease", { short: "p" }),
  ...attachFlags,
};

type CreateContext = BaseContext &
  RepositoryContext & {
    readonly args: { readonly tag: string; readonly file: readonly string[] };
    readonly flags: FlagValues<typeof flags>;
  };

/** `tongs release create`: POST a release; with files, a draft that is published when all are uploaded. */
export const create = defineCommand({
  summary: "Create a release",
  details:
    "Uses the tag if it exists, or creates it when the release is published. Files are uploaded to a draft, which is " +
    "published when all uploads have finished; if an upload fails, the draft stays. Generated notes list the merged pull requests " +
    `by label. The text of --notes is placed before generated notes. ${attachDetails}`,
  on: "repository",
  fieldsOf: releaseCreate,
  effect: "write",
  args: {
    tag: one("tag of the release", { source: "tag" }),
    file: any("files to upload; FILE#NAME sets the name of the asset", { names: "input file" }),
  },
  flags,
  exclusive: [
    ["notes", "notesFile", "notesFromTag"],
    ["notesFromTag", "generateNotes"],
    ["tagMessage", "verifyTag"],
  ],
  output: release,
  exits: {
    refused: "the tag has a release, or the quota is used up",
    partly: "some files were not uploaded; the release is a draft",
  },
  examples: [
    ["Release the default branch with generated notes", "tongs release create v1.2.0 --generate-notes"],
    [
      "Release an existing tag with files",
      "tongs release create v1.2.0 --verify-tag --notes-from-tag dist/tongs.tar.gz 'dist/sums.txt#SHA256SUMS'",
    ],
    ["Show an image in the notes", 'tongs release create v1.2.0 --notes "![chart](chart.png)"'],
    ["Save a draft", 'tongs release create v2.0.0 --draft --title "Version 2" --notes-file notes.md'],
  ],
  async run(context) {
    const { args, flags, server, out, system } = context;
    // The servers say 500 for an invalid name, without a reason.
    if (!isBranchName(args.tag)) throw new UsageError(`'${args.tag}' is not a valid tag name`);
    if (flags.notesStartTag !== undefined && !flags.generateNotes) {
      throw new UsageError("--notes-start-tag requires --generate-notes");
    }
    const attached = await readAttached(flags, flags.notesFile, system);
    const named = [...(await readUploadFiles(args.file, system)), ...attached];
    requireNames(named);
    await requireQuota(context.repo.owner, assetsSubject, named, context);
    const tagExists = flags.verifyTag ? await checkTag(context) : undefined;
    const { typed, name, ...text } = await releaseText(args.tag, flags, context, tagExists);
    const { made, files } = await keepingText(typed, out, async () => {
      const uploads = await planUploads(named, { ...text, file: flags.notesFile }, context);
      requireNames(uploads.files);
      const draft = flags.draft || uploads.files.length > 0;
      // Servers have the files of a release at the names that they will have: the notes need no edit.
      const body = (await uploads.linked?.((file) => assetAddress(file, context)))?.body ?? text.body;
      const option = { name, body, ...optionsOf(context), draft };
      return { made: await uploads.named(createRelease(option, uploads.files, context)), files: uploads.files };
    });
    const uploaded = await withFiles(made, files, context);
    if (uploaded === undefined) return undefined;
    const kind = uploaded.draft ? "draft " : "";
    const what = releaseName(uploaded, context);
    const message = `Created ${kind}${what} ${accountLabel(server)}`;
    await out.done(message, { prints: uploaded.html_url ?? uploaded.id, record: uploaded, what });
    return undefined;
  },
});

/** The page of an asset of a release that is published. */
function assetAddress({ name }: UploadFile, { args, server, repo }: CreateContext): string {
  return addressText(server.base) + repoPage(repo, "releases/download", args.tag, name);
}

/** Creates the annotated tag, if there is a message for it, and the release. */
async function createRelease(
  option: CreateReleaseOption,
  files: readonly UploadFile[],
  context: CreateContext,
): Promise<Release> {
  const { args, flags, http, repo, out } = context;
  if (flags.tagMessage !== undefined) {
    await call(http, tagCreate, { repo }, { tag_name: args.tag, target: flags.target, message: flags.tagMessage });
    out.note(`Created tag ${args.tag} in ${fullName(repo)}.`);
  }
  return (
    call(http, releaseCreate, { repo }, option)
      .catch(async (error: unknown) => {
        throw (await explainArchived(error, context)) ?? error;
      })
      // Forgejo 7.0 answers 500 for an unknown target.
      .catch((error: unknown) => explainUnknownCommit(error, flags.target, context))
      .catch(async (error: unknown) => {
        throw await explainCreate(error, files, context);
      })
  );
}

function optionsOf({ args, flags }: CreateContext): CreateReleaseOption {
  return {
    tag_name: args.tag,
    target_commitish: flags.target,
    prerelease: flags.prerelease,
    ...(flags.hideArchiveLinks === undefined ? {} : { hide_archive_links: flags.hideArchiveLinks }),
  };
}

/** `--verify-tag`: throws if the tag does not exist. */
async function checkTag({ args, http, repo }: CreateContext): Promise<true> {
  try {
    await call(http, tagGet, { repo, tag: args.tag });
    return true;
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    throw new Failure("not_found", `Tag ${args.tag} does not exist in ${fullName(repo)}`, {
      hint: "Push it first, or omit --verify-tag.",
      cause: error,
    });
  }
}

/** Uploads the files and publishes the release. Throws a failure that says how to go on if one is not uploaded. */
async function withFiles(made: Release, files: readonly UploadFile[], context: CreateContext): Promise<Release> {
  if (files.length === 0) return made;
  const { flags, http, repo, system, out } = context;
  const publish = flags.draft ? "" : ` && ${publishCommand(made.tag_name, context)}`;
  const uploaded = await uploadAssets(made, files, context).catch((error: unknown) => {
    if (system.signal.aborted) {
      out.note(
        `The release is a draft. See it with: ${commandIn(context, `tongs release view ${quoted(made.tag_name)}`)}`,
      );
    }
    throw error;
  });
  const [first] = uploaded.failed;
  if (first !== undefined) {
    const { failure } = first;
    const names = uploaded.failed.map(({ file }) => file.name).join(", ");
    const rest = uploaded.failed.map(({ file }) => file.typed);
    const isUnsure = uploaded.failed.some((one) => mayHaveActed(one.failure));
    if (isUnsure) rest.push("--clobber");
    throw new Failure(
      "partly_done",
      `${uploaded.failed.length} of ${files.length} files ${isUnsure ? "may not have been" : "were not"} uploaded (${names}): ${failure.message}`,
      {
        hint: `The release is a draft. To continue: ${uploadCommand(made.tag_name, rest, context)}${publish}`,
        cause: failure,
      },
    );
  }
  if (flags.draft) return call(http, releaseGetByTag, { repo, tag: made.tag_name });
  return call(http, releaseEdit, { repo, id: made.id }, { draft: false }).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    const is = mayHaveActed(error) ? "may still be" : "is";
    const hint = `The files are uploaded, but the release ${is} a draft. To continue: ${publishCommand(made.tag_name, context)}`;
    throw withHint(error, hint);
  });
}

function publishCommand(tag: string, context: CreateContext): string {
  return commandIn(context, `tongs release edit ${quoted(tag)} --no-draft`);
}

/** Of a new release in an archived repository the servers say 500 (docs/server-differences.md, "Releases"). */
async function explainArchived(error: unknown, { http, repo }: CreateContext): Promise<Failure | undefined> {
  if (!(error instanceof ServerError)) return undefined;
  const found = await call(http, repoGet, { repo }).catch(() => undefined);
  if (found?.archived !== true) return undefined;
  return new Failure("archived", "The repository is archived", { status: error.status, cause: error });
}

async function explainCreate(error: unknown, files: readonly UploadFile[], context: CreateContext): Promise<unknown> {
  const { args, flags, http, repo } = context;
  if (!(error instanceof Failure)) return error;
  const { status, method, path } = error;
  const details = { status, method, path, cause: error };
  if (error instanceof RefusedError && status === 409) {
    const found = await unlessFailed(call(http, releaseGetByTag, { repo, tag: args.tag }));
    const there = found === undefined ? [] : assetsOf(found).map(({ name }) => name);
    const words = files.map((file) => file.typed);
    if (files.some(({ name }) => there.includes(name))) words.push("--clobber");
    const upload = files.length === 0 ? "" : `${uploadCommand(args.tag, words, context)} && `;
    const line = (verb: string) => commandIn(context, `tongs release ${verb} ${quoted(args.tag)}`);
    const [as, hint] = found?.draft
      ? [", as a draft", `To continue: ${upload}${publishCommand(args.tag, context)}`]
      : ["", `Edit it with: ${line("edit")}. Upload files with: ${line("upload")}`];
    return new Failure("exists", `Release ${args.tag} already exists in ${fullName(repo)}${as}`, { ...details, hint });
  }
  const isTarget = error instanceof NotFoundError && /^target/.test(error.serverMessage);
  const explained = isTarget
    ? new Failure("not_found", `No branch or commit '${flags.target ?? ""}' in ${fullName(repo)}`, details)
    : error;
  return flags.tagMessage === undefined ? explained : withHint(explained, `Tag ${args.tag} was created.`);
}
