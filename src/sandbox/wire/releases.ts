import type { View } from "../http/route.ts";
import type { AssetRecord, ReleaseRecord, RepoRecord } from "../state/records/repos.ts";
import { userWire } from "./accounts.ts";
import { pathOf } from "./values.ts";

/** The files of a release, by name. */
export function assetsOf({ store }: View["site"], id: number): AssetRecord[] {
  const mine = store.table("releaseAssets").filter(({ releaseId }) => releaseId === id);
  return mine.sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : one.id - other.id));
}

/** `Release`, with its files. */
export function releaseWire(view: View, repo: RepoRecord, release: ReleaseRecord): Record<string, unknown> {
  const { site } = view;
  const { id, repoId: _repo, authorId, tag_name, target_commitish, name, body, ...rest } = release;
  const { api, web } = pathOf(view, repo);
  const author = site.store.table("users").get(authorId);
  return {
    ...{ id, tag_name, target_commitish, name, body },
    url: `${api}/releases/${id}`,
    html_url: `${web}/releases/tag/${tag_name}`,
    tarball_url: `${web}/archive/${tag_name}.tar.gz`,
    zipball_url: `${web}/archive/${tag_name}.zip`,
    upload_url: `${api}/releases/${id}/assets`,
    ...rest,
    author: author === undefined ? null : userWire(view, author, "plain"),
    assets: assetsOf(site, id).map((asset) => assetWire(view, repo, release, asset)),
  };
}

/** `Attachment` of a release. A draft has no tag yet, so its address has the UUID. */
export function assetWire(
  view: View,
  repo: RepoRecord,
  { draft, tag_name }: ReleaseRecord,
  { releaseId: _release, ...asset }: AssetRecord,
): Record<string, unknown> {
  const { web } = pathOf(view, repo);
  const address = draft
    ? `${view.origin}/attachments/${asset.uuid}`
    : `${web}/releases/download/${tag_name}/${asset.name}`;
  return { ...asset, browser_download_url: address };
}
