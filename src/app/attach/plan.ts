import { realpath } from "node:fs/promises";
import { dirname, isAbsolute } from "node:path";
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
  /** What of it others may have written: a template, commits, a text that is edited. Its links upload nothing. */
  readonly others?: string | undefined;
  /** The file that it was read from. */
  readonly file?: string | undefined;
}

/** The files of a text. */
export interface Uploads {
  readonly files: readonly AttachFile[];
  /** The text with the addresses of the files in its links; undefined if no link leads to one. */
  readonly linked: ((addressOf: (file: AttachFile) => string) => Promise<string>) | undefined;
  /** Has a dry run that shows the write name the files, too. */
  readonly named: <T>(write: Promise<T>) => Promise<T>;
}

type PlanContext = Pick<BaseContext, "system" | "out" | "options">;

/**
 * The files that a text needs: those of `--attach`, and the images that it shows from files here. Warns about an image that is
 * not uploaded, and says what is. A text without such a link is not parsed.
 */
export async function planUploads(
  attached: readonly AttachFile[],
  { body = "", others = "", file }: GivenText,
  { system, out, options }: PlanContext,
): Promise<Uploads> {
  const targets = mayLinkFiles(body) ? await linkedFiles(attached, { body, others, file }, { system, out }) : new Map();
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
        : async (addressOf) => (await import("./links.ts")).replaceLinks(body, addresses(addressOf)),
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
  return /(?:\]\(|\]:)\s*<?(?![a-z][a-z\d+.-]*:|\/\/|#)\S/i.test(text);
}

/** The files to which images and links of a text lead, by their addresses in the text. */
async function linkedFiles(
  attached: readonly AttachFile[],
  { body, others, file }: { readonly body: string; readonly others: string; readonly file: string | undefined },
  { system, out }: Pick<PlanContext, "system" | "out">,
): Promise<ReadonlyMap<string, AttachFile>> {
  const { localDestinations, replaceLinks } = await import("./links.ts");
  const { followLink, imageAt, realPath } = await import("./local-files.ts");
  const places = file === undefined || file === "-" ? ["."] : [dirname(file), "."];
  const folders = (await Promise.all(places.map((place) => realPath(place, system)))).flatMap((path) => path ?? []);
  const known = new Map<string, AttachFile>();
  for (const one of attached) if (one.bytes === undefined) known.set(await realpath(one.path), one);
  const found = new Map<string, AttachFile>();
  for (const { href, isImage } of localDestinations(body)) {
    const path = await followLink(href, folders, system);
    const named = path === undefined ? attached.find(({ name }) => name === href) : known.get(path);
    if (named !== undefined) {
      found.set(href, named);
      continue;
    }
    if (!isImage || isAbsolute(href)) continue;
    const isOthers = others.includes(href);
    if (path === undefined) {
      if (!isOthers) out.warn(`Not uploaded: there is no file ${href}`);
      continue;
    }
    const image = isOthers ? "its link is not in a text that you give" : await imageAt(path, folders);
    if (typeof image === "string") {
      out.warn(`Not uploaded: ${href}: ${image}. To upload it, pass --attach ${quoted(shownPath(path, system))}`);
    } else {
      known.set(path, image);
      found.set(href, image);
    }
  }
  // An address that is written otherwise than it is read, with backslashes, is not found in the text.
  const trial = replaceLinks(body, new Map([...found.keys()].map((href) => [href, "https://example.org"])));
  for (const { href } of localDestinations(trial)) {
    if (found.delete(href)) out.warn(`Not uploaded: ${href}: its link cannot be changed. Write it without backslashes`);
  }
  return found;
}
