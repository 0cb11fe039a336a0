import { listReply } from "../http/paging.ts";
import { empty, found, json, text } from "../http/reply.ts";
import { type Area, del, get, put, type View } from "../http/route.ts";
import type { Site } from "../site.ts";
import { newPackage, userNamed } from "../state/accounts.ts";
import type { PackageRecord } from "../state/records/accounts.ts";
import { userWire } from "../wire/accounts.ts";

const one = "/packages/{username}/{type}/{name}/{version}";
const needs = { user: true, signedIn: true } as const;

/** Package records. A generic upload creates one; its contents are not stored. */
export const packages: Area = {
  routes: [
    get("/packages/{username}", needs, (call) => {
      const { site, subject, query } = call;
      const type = query.get("type") ?? "";
      const q = (query.get("q") ?? "").toLowerCase();
      const fits = (item: PackageRecord) =>
        item.ownerId === subject.id && (type === "" || item.type === type) && item.name.toLowerCase().includes(q);
      return listReply(call, site.store.table("packages").filter(fits).reverse(), (item) => packageWire(call, item));
    }),
    get(one, needs, (call) => json(200, packageWire(call, versionOf(call.site, call.subject.id, call.param)))),
    del(one, needs, ({ site, subject, param }) => {
      site.store.table("packages").delete(versionOf(site, subject.id, param).id);
      return empty(204);
    }),
  ],
  pages: [
    put("/api/packages/{owner}/generic/{name}/{version}/{file}", {}, ({ site, currentUser, param }) => {
      const owner = userNamed(site.store, param("owner"));
      if (owner === undefined) return text(404, "not found\n");
      if (currentUser === undefined || (currentUser.id !== owner.id && !currentUser.is_admin))
        return text(401, "reqPackageAccess\n");
      const [name, version] = [param("name"), param("version")];
      const known = site.store
        .table("packages")
        .find((item) => item.ownerId === owner.id && item.name === name && item.version === version);
      if (known === undefined) {
        newPackage(site.store, {
          ownerId: owner.id,
          creatorId: currentUser.id,
          type: "generic",
          name,
          version,
          created: site.now(),
        });
      }
      return empty(201);
    }),
  ],
};

function versionOf({ store }: Site, ownerId: number, param: (name: string) => string): PackageRecord {
  const [type, name, version] = [param("type"), param("name"), param("version")];
  const fits = (item: PackageRecord) =>
    item.ownerId === ownerId && item.type === type && item.name === name && item.version === version;
  return found(store.table("packages").find(fits), "GetVersionByNameAndVersion: package does not exist");
}

function packageWire(view: View, item: PackageRecord): Record<string, unknown> {
  const users = view.site.store.table("users");
  const [owner, creator] = [users.get(item.ownerId), users.get(item.creatorId)];
  return {
    id: item.id,
    owner: owner ? userWire(view, owner) : null,
    repository: null,
    creator: creator ? userWire(view, creator) : null,
    type: item.type,
    name: item.name,
    version: item.version,
    html_url: `${view.origin}/${owner?.name}/-/packages/${item.type}/${item.name}/${item.version}`,
    created_at: item.created,
  };
}
