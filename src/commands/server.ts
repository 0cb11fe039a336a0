import { defineCommand } from "../app/define.ts";
import { missingFeatures } from "../forge/features.ts";
import {
  aboutServer,
  apiSettings,
  attachmentSettings,
  nodeInfo,
  nodeInfoOf,
  repositorySettings,
  serverSettings,
  signingKeys,
  uiSettings,
} from "../forge/server.ts";
import { countedAs } from "../forge/support.ts";
import type { Http } from "../http/client.ts";
import type { Sheet } from "../output/sheet.ts";
import { addressText } from "../profiles/server.ts";
import { type Infer, list, nullable, record, string, words } from "../shape/shape.ts";
import { sizeText } from "../text/format.ts";

/** What `tongs server` prints: the server's own records, by where they come from. */
const report = record({
  url: string,
  version: string,
  kind: words("Gitea", "Forgejo"),
  /** The release that the version counts as where releases differ. */
  release: nullable(string),
  settings: record({
    api: apiSettings,
    repository: repositorySettings,
    ui: uiSettings,
    attachment: attachmentSettings,
  }),
  signing_keys: record({ gpg: nullable(string), ssh: nullable(string) }),
  nodeinfo: nullable(nodeInfo),
  /** Features of tongs whose operations the server does not have. */
  missing: list(string),
});

type Report = Infer<typeof report>;

/** `tongs server`: GET /version, /settings/*, /signing-key.*, /nodeinfo, and one GET for each feature. */
export const server = defineCommand({
  summary: "View the version, limits and settings of a server",
  details: "Also lists the features of tongs that the server does not support. Changes nothing.",
  on: "server",
  effect: "read",
  output: report,
  examples: [
    ["View the current server", "tongs server"],
    ["Print what the server does not support", "tongs server --jq '.missing[]'"],
  ],
  web: { page: () => "" },
  async run({ http, out, server: { base } }) {
    await out.record(await reportOn(http, addressText(base)), sheet);
  },
});

async function reportOn(http: Http, url: string): Promise<Report> {
  // First alone: a wrong address or token is reported once.
  const { version, kind } = await aboutServer(http);
  const [settings, signing_keys, nodeinfo, missing] = await Promise.all([
    serverSettings(http),
    signingKeys(http),
    nodeInfoOf(http),
    missingFeatures(http),
  ]);
  return { url, version, kind, release: countedAs(version) ?? null, settings, signing_keys, nodeinfo, missing };
}

function sheet({ url, version, kind, release, settings, signing_keys, nodeinfo, missing }: Report): Sheet {
  const { api, repository, ui, attachment } = settings;
  const off = Object.entries(repository).flatMap(([name, isOff]) =>
    isOff === true && name.endsWith("_disabled") ? [name.replace(/_disabled$/, "").replaceAll("_", " ")] : [],
  );
  const keys = [signing_keys.gpg === null ? [] : "GPG", signing_keys.ssh === null ? [] : "SSH"].flat();
  const size = (bytes: number | undefined) => (bytes === undefined ? undefined : sizeText(bytes));
  return {
    title: `${kind} ${version}`,
    fields: [
      ["url", url],
      ["counts as", release],
      ["default page size", api.default_paging_num],
      ["maximum page size", api.max_response_items],
      ["maximum blob size", size(api.default_max_blob_size)],
      ["maximum response size", size(api.default_max_response_size)],
      ["attachments", attachment.enabled === false ? "off" : "on"],
      ["maximum attachment size", size(attachment.max_size === undefined ? undefined : attachment.max_size * 2 ** 20)],
      ["maximum attachments", attachment.max_files],
      ["default theme", ui.default_theme],
      ["reactions", ui.allowed_reactions?.join(", ")],
      ["turned off", off.join(", ")],
      ["signing keys", keys.join(", ")],
      ["federation", nodeinfo === null ? "off" : "on"],
      ["missing", missing.join(", ")],
    ],
  };
}
