import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { type Draft, writeDraft } from "../../app/draft.ts";
import { text, yesNo } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { defaultBranch, repoGet } from "../../forge/repos.ts";
import { tagGet } from "../../forge/tags.ts";
import { isFound } from "../../http/errors.ts";
import { editorName } from "../../prompts/editor.ts";
import { generateNotes, givenNotes, tagMessage } from "./notes.ts";

/** The flags for the settings of a release. */
export const settingFlags = {
  title: text("title", { short: "t" }),
  target: text("branch or commit to create the tag at (default: the default branch)", {
    placeholder: "REF",
    source: "branch",
  }),
  hideArchiveLinks: yesNo("hide the links to the source code"),
};

/** The flags for title and notes. */
interface TextFlags {
  readonly title: string | undefined;
  readonly target: string | undefined;
  readonly notes: string | undefined;
  readonly notesFile: string | undefined;
  readonly notesFromTag: boolean;
  readonly generateNotes: boolean;
  readonly notesStartTag: string | undefined;
}

type TextContext = Pick<BaseContext, "prompt" | "system" | "out"> & RepositoryContext;

/** Title and notes of a new release, by the names of the API. */
export type ReleaseText = Omit<Draft, "title"> & { readonly name: string };

/**
 * Title and notes from flags, the tag, merged pull requests, or prompts. Throws a usage error if there are no notes and
 * prompts are not possible.
 */
export async function releaseText(
  tag: string,
  flags: TextFlags,
  context: TextContext,
  tagExists?: true,
): Promise<ReleaseText> {
  const { prompt, system } = context;
  const given = await givenNotes(flags, system);
  const typed = given !== undefined && flags.notesFile === "-" ? { text: given, flag: "--notes-file" } : undefined;
  if (given === undefined && !flags.generateNotes && !flags.notesFromTag) {
    if (!prompt.able) {
      throw new UsageError("--notes, --notes-file, --notes-from-tag or --generate-notes is required");
    }
    const generated = () => generatedFor(tag, flags, context);
    const none = async () => "";
    const bodies = [
      { name: `Write my own in ${editorName(system)}`, body: none, edits: true },
      { name: "Write using generated notes as a template", body: generated, edits: true },
      { name: "Leave blank", body: none, edits: false },
    ];
    const words = { message: "Release notes", flag: "--notes", file: "--notes-file" };
    const draft = { title: flags.title, body: undefined, fromStdin: false };
    const { title: name, ...text } = await writeDraft(draft, () => ({ title: tag, bodies, words }), context);
    return { name, ...text };
  }
  const name = flags.title ?? tag;
  if (flags.notesFromTag) {
    const message = await tagMessage(tag, context);
    return { name, body: message, typed, others: message };
  }
  if (!flags.generateNotes) return { name, body: given ?? "", typed, others: "" };
  const generated = await generatedFor(tag, flags, context, tagExists);
  const body = given === undefined ? generated : `${given.trimEnd()}\n\n${generated}`;
  return { name, body, typed, others: generated };
}

async function generatedFor(tag: string, flags: TextFlags, context: TextContext, tagExists?: true): Promise<string> {
  const head = tagExists || (await hasTag(tag, context)) ? tag : (flags.target ?? (await mainBranch(context)));
  return generateNotes({ tag, head, start: flags.notesStartTag }, context);
}

function hasTag(tag: string, { http, repo }: RepositoryContext): Promise<boolean> {
  return isFound(call(http, tagGet, { repo, tag }));
}

async function mainBranch({ http, repo }: RepositoryContext): Promise<string> {
  return defaultBranch(await call(http, repoGet, { repo }));
}
