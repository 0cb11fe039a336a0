import { UsageError } from "../../failure/failure.ts";
import { attachesToComments, keepsAttachmentSize } from "../../forge/attachments.ts";
import { call } from "../../forge/operation.ts";
import { orgMemberCheck } from "../../forge/orgs.ts";
import { repoGet } from "../../forge/repos.ts";
import { type AttachmentSettings, attachmentSettingsGet } from "../../forge/server.ts";
import type { Http } from "../../http/client.ts";
import type { RepoName } from "../../repo/repo-name.ts";
import { sizeText } from "../../text/format.ts";
import type { ServerContext } from "../context.ts";
import { currentUser } from "../shared.ts";
import type { UploadFile } from "../upload-files.ts";

/** A file to attach, and its MIME type if it is a known image. */
export type AttachFile = UploadFile & { readonly image?: string | undefined };

/**
 * Throws a usage error, before anything is sent, for files whose size or type the server's settings do not allow
 * (`GET /settings/attachment`). How many there may be is a limit of the web page alone: `max_files`
 * (docs/server-differences.md, "Issues").
 */
export async function requireAllowed(files: readonly AttachFile[], http: Http): Promise<void> {
  const settings = await call(http, attachmentSettingsGet, {});
  if (settings.enabled === false) throw new UsageError("Attachments are turned off on this server");
  const { max_size: mebibytes = Number.POSITIVE_INFINITY } = settings;
  for (const file of files) {
    if (file.size > mebibytes * 2 ** 20 && (await keepsAttachmentSize(http))) {
      const limit = sizeText(mebibytes * 2 ** 20);
      throw new UsageError(`${file.name} (${sizeText(file.size)}) is too large: the server allows ${limit}`);
    }
    if (isRefused(file, settings)) {
      throw new UsageError(
        `The server does not allow attachments such as ${file.name}`,
        `Allowed: ${settings.allowed_types?.split(",").join(", ")}`,
      );
    }
  }
}

/**
 * Whether no allowed type fits. The servers look at the content for MIME types: only those of images are known here, so that
 * other files are refused only if endings alone are allowed.
 */
function isRefused({ name, image }: AttachFile, { allowed_types = "" }: AttachmentSettings): boolean {
  const types = allowed_types.split(",").map((type) => type.trim().toLowerCase());
  return !types.some((type) => {
    if (type === "" || type === "*/*") return true;
    if (type.startsWith(".")) return name.toLowerCase().endsWith(type);
    return image === undefined || type === image || type === "image/*";
  });
}

/**
 * Whether a comment could be posted, but not its files: the server takes them only from those with write access, and the caller
 * has none. Members of an organization can have it by a team for issues alone, which only an upload tells.
 */
export async function refusesCommentFiles(repo: RepoName, context: ServerContext): Promise<boolean> {
  const { http } = context;
  if ((await attachesToComments(http)) !== "writers") return false;
  if ((await call(http, repoGet, { repo })).permissions?.push !== false) return false;
  return !(await call(http, orgMemberCheck, { org: repo.owner, username: await currentUser(context) }));
}
