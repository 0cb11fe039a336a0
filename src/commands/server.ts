import type { CommandTable } from "../app/context.ts";
import { defineCommand } from "../app/define.ts";
import { kebab, toggle } from "../command/flags.ts";
import { fieldOf, sinceOfFlag } from "../command/releases.ts";
import { allCommands } from "../command/write-help.ts";
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
import { knownFrom } from "../forge/server-has.ts";
import { countedAs, firstReleases, placed, sinceOfNeeds } from "../forge/support.ts";
import type { Http } from "../http/client.ts";
import { styled } from "../output/cells.ts";
import type { Sheet } from "../output/sheet.ts";
import { column } from "../output/table.ts";
import { addressText } from "../profiles/server.ts";
import { boolean, type Infer, list, nullable, record, string, words } from "../shape/shape.ts";
import { sizeText } from "../text/format.ts";

/** A command, or a flag of one, that not all releases of servers support. */
const feature = record({
  /** `run cancel`, `run cancel --force`. */
  command: string,
  available: boolean,
  /** The first releases that support it: `Gitea 28, Forgejo 16.0`. */
  releases: string,
});

type Feature = Infer<typeof feature>;

/** What `tongs server` prints: the server's own records, by where they come from. */
const report = record({
  url: string,
  version: string,
  kind: words("Gitea", "Forgejo"),
  /** The release that the version counts as where releases differ. */
  release: nullable(string),
  /** Where it is known from what the server has: a release, or its own description. */
  known_from: nullable(string),
  settings: record({
    api: apiSettings,
    repository: repositorySettings,
    ui: uiSettings,
    attachment: attachmentSettings,
  }),
  signing_keys: record({ gpg: nullable(string), ssh: nullable(string) }),
  nodeinfo: nullable(nodeInfo),
  /** The nouns, verbs and flags of tongs whose operations the server does not have. */
  missing: list(string),
  features: list(feature),
});

type Report = Infer<typeof report>;

const featureColumns = [
  column<Feature>("COMMAND", "command", { style: "strong", flexible: true }),
  column<Feature>("AVAILABLE", "available", ({ available }) =>
    available ? styled("good", "yes") : styled("warn", "no"),
  ),
  column<Feature>("SINCE", "releases"),
];

/** `tongs server`: GET /version, /settings/*, /signing-key.*, /nodeinfo, /swagger.v1.json and GETs for what no table has. */
export const server = defineCommand({
  summary: "View the version, limits and settings of a server",
  details:
    "Also lists the commands that the server's release does not support; with --features, all commands and flags " +
    "that not all releases support, and since which they are. Changes nothing.",
  on: "server",
  effect: "read",
  flags: { features: toggle("list what the server has and lacks of what not all releases have") },
  output: report,
  examples: [
    ["View the current server", "tongs server"],
    ["List what it has and lacks", "tongs server --features"],
    ["Print what the server does not support", "tongs server --jq '.missing[]'"],
  ],
  web: { page: () => "" },
  async run({ http, out, flags, commands, server: { base } }) {
    // First alone: a wrong address or token is reported once.
    const { version, kind } = await aboutServer(http);
    const supported = () => supportedCommands(http, version, commands);
    if (flags.features && !out.records)
      return out.list((await supported()).features, featureColumns, { unlimited: true });
    const [settings, signing_keys, nodeinfo, known, commandsOfServer] = await Promise.all([
      serverSettings(http),
      signingKeys(http),
      nodeInfoOf(http),
      knownFrom(http, version),
      supported(),
    ]);
    const [release, known_from] = [countedAs(version) ?? null, known ?? null];
    const about = { url: addressText(base), version, kind, release, known_from };
    await out.record({ ...about, settings, signing_keys, nodeinfo, ...commandsOfServer }, sheet);
  },
});

/** What a server has and lacks of the commands that not all releases support. */
async function supportedCommands(
  http: Http,
  version: string,
  { table }: CommandTable,
): Promise<Pick<Report, "missing" | "features">> {
  const all = await allCommands(table);
  const perCommand = all.map(async ({ words, command }) => {
    const { needs, flags, fieldsOf } = command;
    const ofFlags = Object.entries(flags).map(async ([key, flag]) => {
      const since = await sinceOfFlag(key, flag, command);
      const operation = fieldsOf && placed(fieldsOf)[0];
      const asked = since && { since, operation, field: flag.field ?? fieldOf(key) };
      const field = flag.needs === undefined ? asked : undefined;
      return { words: [...words, `--${kebab(key)}`], needs: flag.needs, field, since, of: words };
    });
    const ownSince = sinceOfNeeds(needs ?? []);
    return [{ words, needs, field: undefined, since: ownSince, of: words }, ...(await Promise.all(ofFlags))];
  });
  const wanted = (await Promise.all(perCommand))
    .flat()
    .flatMap(({ since, ...one }) => (since ? { since, ...one } : []));
  const found = new Set((await missingFeatures(http, version, wanted)).map(({ words }) => words));
  // The flags of a command that is missing are not missed besides.
  const shown = wanted.filter(({ words, of }) => words === of || !found.has(of));
  const isWhollyMissing = (start: string) => all.every(({ words }) => !isBelow(words, start) || found.has(words));
  const missing = shown.flatMap(({ words, needs }) => {
    // A field is sent all the same, unless it is proven that the server ignores it.
    if (needs === undefined) return [];
    const starts = words.map((_, index) => words.slice(0, index + 1).join(" "));
    return found.has(words) ? [starts.find(isWhollyMissing) ?? ""] : [];
  });
  const features = shown.map(({ words, since }) => {
    return { command: words.join(" "), available: !found.has(words), releases: firstReleases(since) };
  });
  return { missing: [...new Set(missing)], features };
}

/** Whether a command is of a noun or group: `tag protection list` of `tag protection`. */
function isBelow(words: readonly string[], start: string): boolean {
  return `${words.join(" ")} `.startsWith(`${start} `);
}

function sheet({ url, version, kind, release, known_from, settings, signing_keys, nodeinfo, missing }: Report): Sheet {
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
      ["operations known from", known_from],
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
