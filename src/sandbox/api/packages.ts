import { genericFilePut, packageList, packageVersionDelete, packageVersionGet } from "../../forge/packages.ts";
import { includesLevel, packageAccess } from "../http/access.ts";
import { listReply } from "../http/paging.ts";
import { empty, found, json, type Reply, refuse, text } from "../http/reply.ts";
import { type Area, type Call, route, type View } from "../http/route.ts";
import { recordOf } from "../release.ts";
import { userJson } from "../serializers/accounts.ts";
import type { Site } from "../site.ts";
import { newPackage, userNamed } from "../state/accounts.ts";
import type { PackageRecord } from "../state/records/accounts.ts";

const needs = { user: true, signedIn: true } as const;

/** Package records. A generic upload creates one; its contents are not stored. */
export const packages: Area = {
  routes: [
    route(packageList, needs, (call) => {
      const { site, subject, query } = call;
      requireAccess(call, "read");
      const type = query.get("type") ?? "";
      const q = (query.get("q") ?? "").toLowerCase();
      const fits = (item: PackageRecord) =>
        item.ownerId === subject.id && (type === "" || item.type === type) && item.name.toLowerCase().includes(q);
      return listReply(call, site.table("packages").filter(fits).reverse(), packageJson);
    }),
    route(packageVersionGet, needs, (call) => {
      requireAccess(call, "read");
      return json(200, packageJson(call, versionOf(call.site, call.subject.id, call.param)));
    }),
    route(packageVersionDelete, needs, (call) => {
      requireAccess(call, "write");
      call.table("packages").delete(versionOf(call.site, call.subject.id, call.param).id);
      return empty(204);
    }),
    route(genericFilePut, {}, publish),
  ],
};

function requireAccess({ site, currentUser, subject }: Call<typeof needs>, word: "read" | "write"): void {
  if (includesLevel(packageAccess(site, currentUser, subject), word)) return;
  refuse(403, "user should have specific permission or be a site admin");
}

function publish({ site, currentUser, param }: Call): Reply {
  const { store } = site;
  const owner = userNamed(store, param("owner"));
  if (owner === undefined) return text(404, "Not found.\n");
  if (currentUser === undefined || !includesLevel(packageAccess(site, currentUser, owner), "write"))
    return text(401, "reqPackageAccess\n", undefined, { "WWW-Authenticate": 'Basic realm="Gitea Package API"' });
  const [name, version, file] = [param("name"), param("version"), param("file")];
  if (!isName(name, /^[-+.\w]+$/)) return text(400, "invalid package name");
  if (!isName(file, /^[-+=:;.()[\]{}~!@#$%^& \w]+$/)) return text(400, "invalid filename");
  const fits = (item: PackageRecord) =>
    item.ownerId === owner.id && item.type === "generic" && item.name === name && item.version === version;
  const known = store.table("packages").find(fits);
  if (known?.files?.includes(file)) return text(409, "package file already exists");
  if (known !== undefined) {
    store.table("packages").put({ ...known, files: [...(known.files ?? []), file] });
    return empty(201);
  }
  const [ownerId, creatorId, created] = [owner.id, currentUser.id, site.now()];
  newPackage(store, { ownerId, creatorId, type: "generic", name, version, files: [file], created });
  return empty(201);
}

/** Whether Gitea accepts the name of a generic package or file. */
const isName = (name: string, letters: RegExp) =>
  letters.test(name) && name.trim() === name && ![".", ".."].includes(name) && !/^[^a-z\d]$/i.test(name);

function versionOf({ store }: Site, ownerId: number, param: (name: string) => string): PackageRecord {
  const [type, name, version] = [param("type"), param("name"), param("version")];
  const fits = (item: PackageRecord) =>
    item.ownerId === ownerId && item.type === type && item.name === name && item.version === version;
  return found(store.table("packages").find(fits), "GetVersionByNameAndVersion: package does not exist");
}

function packageJson(view: View, item: PackageRecord): Record<string, unknown> {
  const users = view.site.table("users");
  const [owner, creator] = [users.get(item.ownerId), users.get(item.creatorId)];
  return recordOf(view.site, "Package", item, {
    owner: owner ? userJson(view, owner) : null,
    creator: creator ? userJson(view, creator) : null,
    repository: null,
    html_url: `${view.origin}/${owner?.name}/-/packages/${item.type}/${item.name}/${item.version}`,
    created_at: item.created,
  });
}
