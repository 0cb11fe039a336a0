import { stream } from "../http/answers.ts";
import {
  anything,
  boolean,
  type Infer,
  integer,
  list,
  listedRecord,
  nullable,
  optional,
  serverRecord,
  string,
  time,
} from "../shape/shape.ts";
import { operation, pagesOf } from "./operation.ts";
import { notRestored, undoCreate, undoEdit } from "./undo.ts";
import { person } from "./users.ts";

/** A file of a release. Names need not be unique. */
export const releaseAsset = listedRecord("a release asset", {
  id: integer,
  name: string,
  size: optional(integer),
  download_count: optional(integer),
  created_at: optional(time),
  uuid: optional(string),
  browser_download_url: optional(string),
  /** Only on Forgejo: `attachment`, or `external` for a file on another server. */
  type: optional(string),
});

export type ReleaseAsset = Infer<typeof releaseAsset>;

/** A release. A draft has no tag until it is published. */
export const release = serverRecord(
  "a release",
  {
    id: integer,
    tag_name: string,
    target_commitish: optional(string),
    name: optional(string),
    body: optional(string),
    html_url: optional(string),
    draft: optional(boolean),
    prerelease: optional(boolean),
    created_at: optional(time),
    published_at: optional(time),
    author: optional(nullable(person)),
    assets: optional(nullable(list(releaseAsset))),
  },
  {
    url: string,
    tarball_url: string,
    zipball_url: string,
    hide_archive_links: optional(boolean),
    upload_url: string,
    archive_download_count: optional(anything),
  },
);

export type Release = Infer<typeof release>;

const unit = "Releases";

/** Newest first; drafts only for users who can write. */
export const releaseList = operation("GET", "/repos/{owner}/{repo}/releases", {
  answers: pagesOf(release),
  unit,
});

/** The newest release that is neither a draft nor a prerelease. */
export const releaseGetLatest = operation("GET", "/repos/{owner}/{repo}/releases/latest", { answers: release });

/** The release of a tag, drafts included for users who can write. */
export const releaseGetByTag = operation("GET", "/repos/{owner}/{repo}/releases/tags/{tag}", { answers: release });

export const releaseCreate = operation("POST", "/repos/{owner}/{repo}/releases", {
  answers: release,
  unit,
  arrives: { since: "created_at" },
  applied: { except: { tag_message: "no release has it" }, answered: ["hide_archive_links"] },
});

/** Empty texts are ignored (docs/server-differences.md, "Releases"). */
export const releaseEdit = operation("PATCH", "/repos/{owner}/{repo}/releases/{id}", {
  answers: release,
  undo: undoEdit({
    adjust({ old, now, isChanged }) {
      if (!isChanged("draft") && !isChanged("tag_name")) return {};
      const tag = `undo leaves ${now["tag_name"]} as a tag`;
      const isDraft = now["draft"] === true;
      return {
        remaining: isDraft || !(isChanged("tag_name") || old["draft"] === true) ? [] : [tag],
        loses: [
          ...(isChanged("tag_name") && isDraft ? [`${tag}, unless the release is a draft`] : []),
          ...(isChanged("draft") && !isDraft ? ["undo removes the dates that it has by then"] : []),
          ...(isChanged("draft") && isDraft ? [notRestored("the dates that it removed")] : []),
        ],
      };
    },
  }),
  applied: { answered: ["hide_archive_links"], hint: "The server does not support it." },
});

/** The tag stays. */
export const releaseDelete = operation("DELETE", "/repos/{owner}/{repo}/releases/{id}");

export const releaseAssetCreate = operation("POST", "/repos/{owner}/{repo}/releases/{id}/assets", {
  answers: releaseAsset,
  undo: undoCreate(),
});

export const releaseAssetDelete = operation("DELETE", "/repos/{owner}/{repo}/releases/{id}/assets/{attachment_id}");

/** The source code at a tag, as `TAG.zip` or `TAG.tar.gz`. */
export const archiveGet = operation("GET", "/repos/{owner}/{repo}/archive/{archive}", { answers: stream });
