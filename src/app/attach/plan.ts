import { realpath } from "node:fs/promises";
import { dirname, isAbsolute } from "node:path";
import { UsageError } from "../../failure/failure.ts";
import { DryRun } from "../../http/debug.ts";
import { shownPath } from "../../system/files.ts";
import { sizeText } from "../../text/format.ts";
import { quoted } from "../../text/words.ts";
import type { BaseContext, ServerContext } from "../context.ts";
import { requireQuota } from "../quota.ts";
import type { AttachFile } from "./limits.ts";

/** A text, and where it comes from. */
export interface GivenText {
  readonly body?: string | undefined;
  /** The comments on lines that are sent with it. */
  readonly lines?: readonly string[];
  /** What of it others may have written: a template, commits, a text that is edited. Its links upload nothing. */
  readonly others?: string | undefined;
  /** The file that it was read from. */
  readonly file?: string | undefined;
}

/** A text, and the comments on lines that are sent with it. */
export interface Texts {
  readonly body: string;
  readonly lines: readonly string[];
}

/** The files of a text. */
export interface Uploads {
  readonly files: readonly AttachFile[];
  /** The texts with the addresses of the files in their links; undefined if no link leads to one. */
  readonly linked: ((addressOf: (file: AttachFile) => string) => Promise<Texts>) | undefined;
  /** Has a dry run that shows the write name the files, too. */
  readonly named: <T>(write: Promise<T>) => Promise<T>;
}

type PlanContext = Pick<BaseContext, "system" | "out" | "options">;

/**
 * The files that a text needs: those of `--attach`, and the images that it shows from files here. Throws a usage error for
 * images that are not uploaded, and says what is. A text without such a link is not parsed.
 */
export async function planUploads(
  attached: readonly AttachFile[],
  { body = "", lines = [], others = "", file }: GivenText,
  { system, out, options }: PlanContext,
): Promise<Uploads> {
  const texts = [body, ...lines].filter(mayLinkFiles);
  const targets = texts.length > 0 ? await linkedFiles(attached, { texts, others, file }, { system, out }) : new Map();
  const files = [...new Set([...attached, ...targets.values()])];
  if (files.length > 0) {
    const list = files.map(({ name, size }) => `${name} (${sizeText(size)})`).join(", ");
    out.note(`${options.dryRun ? "Would upload" : "Uploading"} ${list}`);
  }
  const addresses = (addressOf: (file: AttachFile) => string) =>
    new Map([...targets].map(([href, target]) => [href, addressOf(target)]));
  return {
    files,
    linked:
      targets.size === 0
        ? undefined
        : async (addressOf) => {
            const { replaceLinks } = await import("./links.ts");
            const linked = (text: string) => replaceLinks(text, addresses(addressOf));
            return { body: linked(body), lines: lines.map(linked) };
          },
    named: (write) =>
      write.catch((error: unknown) => {
        if (!(error instanceof DryRun) || files.length === 0) throw error;
        const { method, url, body: sent, forecast, sudo } = error;
        const uploads = files.map(({ name, size }) => ({ name, size }));
        throw new DryRun(method, url, sent, forecast, sudo, uploads);
      }),
  };
}

/** The same for an issue, a pull request or a comment: refuses, before anything is sent, what its server would not take. */
export async function planAttachments(
  attached: readonly AttachFile[],
  given: GivenText,
  context: PlanContext & ServerContext & { readonly owner: string },
): Promise<Uploads> {
  const uploads = await planUploads(attached, given, context);
  if (uploads.files.length > 0) {
    const { requireAllowed } = await import("./limits.ts");
    await requireAllowed(uploads.files, context.http);
    await requireQuota(context.owner, "size:assets:attachments:issues", uploads.files, context);
  }
  return uploads;
}

/** Whether a text can have an image or a link whose address is no URL. */
function mayLinkFiles(text: string): boolean {
  return /(?:\]\(|\]:)\s*<?(?!(?!file:)[a-z][a-z\d+.-]*:|\/\/|#)\S/i.test(text);
}

/** The files to which images and links of texts lead, by their addresses in them. */
async function linkedFiles(
  attached: readonly AttachFile[],
  given: { readonly texts: readonly string[]; readonly others: string; readonly file: string | undefined },
  { system, out }: Pick<PlanContext, "system" | "out">,
): Promise<ReadonlyMap<string, AttachFile>> {
  const { texts, others, file } = given;
  const { localDestinations, replaceLinks } = await import("./links.ts");
  const { followLink, imageAt, realPath } = await import("./local-files.ts");
  const places = file === undefined || file === "-" ? ["."] : [dirname(file), "."];
  const folders = (await Promise.all(places.map((place) => realPath(place, system)))).flatMap((path) => path ?? []);
  const known = new Map<string, AttachFile>();
  for (const one of attached) if (one.bytes === undefined) known.set(await realpath(one.path), one);
  const found = new Map<string, AttachFile>();
  const refused: string[] = [];
  for (const { href, isImage } of texts.flatMap(localDestinations)) {
    const path = await followLink(href, folders, system);
    const named = path === undefined ? attached.find(({ name }) => name === href) : known.get(path);
    if (named !== undefined) {
      found.set(href, named);
      continue;
    }
    // What is no file here can be a path of the server.
    if (!isImage || (isAbsolute(href) && path === undefined)) continue;
    const isOthers = others.includes(href);
    if (path === undefined) {
      if (!isOthers) refused.push(`${href}: there is no such file`);
      continue;
    }
    const shown = shownPath(path, system);
    if (isOthers) {
      out.warn(
        `Not uploaded: ${href}: its link is not in a text that you give. To upload it, pass --attach ${quoted(shown)}`,
      );
      continue;
    }
    const image = await imageAt(path, shown, folders);
    if (typeof image === "string") {
      refused.push(`${href}: ${image}`);
    } else {
      known.set(path, image);
      found.set(href, image);
    }
  }
  // An address that is written otherwise than it is read, with backslashes, is not found in the text.
  const trial = new Map([...found.keys()].map((href) => [href, "https://example.org"]));
  for (const { href } of texts.flatMap((text) => localDestinations(replaceLinks(text, trial)))) {
    if (found.has(href)) refused.push(`${href}: its link cannot be changed. Write it without backslashes`);
  }
  if (refused.length > 0) {
    const message = ["The text shows images that cannot be uploaded:", ...new Set(refused)].join("\n  ");
    throw new UsageError(
      message,
      'Correct the links. What is not on this machine is sent as it is if it is a URL, begins with / or is HTML: <img src="PATH">.',
    );
  }
  return found;
}
