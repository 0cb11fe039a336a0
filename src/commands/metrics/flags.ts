import { choiceOr, type Flag, type FlagValues, text, texts, toggle, yesNo } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { defaultTypesDb, loadTypesDb, type TypesDb } from "../../metrics/encode/types-db.ts";
import { spanOf } from "../../metrics/reading/moments.ts";
import { identityFilter, isInRange, partTest, readTime } from "../../metrics/reading/select.ts";
import type { Place } from "../../system/files.ts";

/**
 * A flag for wildcard patterns, of which one must match. An empty one is for what has no instance. Names can have commas, so
 * that what is between commas is a pattern besides all of it.
 */
function patterns(description: string, placeholder: string): Flag<readonly string[]> {
  const read = (typed: readonly string[]) =>
    typed.flatMap((one) => [one, ...one.split(",").filter((part) => part !== "")]);
  return { ...texts(description, { placeholder }), read };
}

/** Flags that select readings. */
export const filterFlags = {
  host: patterns("only readings of these hosts: a name, or several with commas; * and ? are wildcards", "H"),
  plugin: patterns("only this plugin", "P"),
  pluginInstance: patterns("only this plugin instance", "I"),
  type: patterns("only this type", "T"),
  typeInstance: patterns("only this type instance", "I"),
  since: text("only readings at or after this time: a date and time, a date, or 2h (two hours ago)", {
    placeholder: "T",
  }),
  until: text("only readings before this time", { placeholder: "T" }),
};

/** Flags of commands that read encoded readings. */
export const readingFlags = {
  framing: choiceOr(["auto", "delimited", "raw", "grpc", "network"], "auto", "how messages are framed in the input"),
  authFile: text("with --framing network: users and passwords, as AuthFile of collectd", {
    names: "password",
    placeholder: "FILE",
  }),
  typesDb: text(
    `collectd's types.db: limits of rates, units, and data sources of network packets (their default: ${defaultTypesDb})`,
    { names: "input file", placeholder: "FILE" },
  ),
  lenient: toggle("accept strings that are not UTF-8, and show their bytes"),
  skipErrors: toggle("skip bad messages"),
  ...filterFlags,
};

/** Flags of connections with TLS, with the options of collectd's grpc plugin that they correspond to. */
export const tlsFlags = {
  tls: toggle("use TLS (EnableSSL)"),
  ca: text("CA file to verify the peer (PEM, SSLCACertificateFile)", {
    names: "input file",
    placeholder: "FILE",
  }),
  cert: text("certificate (PEM, SSLCertificateFile)", { names: "input file", placeholder: "FILE" }),
  key: text("private key (PEM, SSLCertificateKeyFile)", { names: "password", placeholder: "FILE" }),
};

/** The same for a server. */
export const serverTlsFlags = {
  ...tlsFlags,
  verifyPeer: yesNo("require a client certificate that --ca signed (VerifyPeer; the default with --ca)"),
};

/** The filter and time range that these flags select. */
export function selection(flags: FlagValues<typeof filterFlags>, now: Date) {
  const { host, plugin, pluginInstance, type, typeInstance } = flags;
  const [since, until] = [readTime(flags.since, "--since", now), readTime(flags.until, "--until", now)];
  if (since !== undefined && until !== undefined && !isInRange(since, { until }))
    throw new UsageError("--since must be before --until", "2h is two hours ago.");
  const patterns = { host, plugin, plugin_instance: pluginInstance, type, type_instance: typeInstance };
  return { filter: identityFilter(patterns), mayBe: partTest(patterns), timeRange: { since, until } };
}

/** The types of `--types-db`; undefined without it. Throws a `Failure` if the file cannot be read. */
export function readTypes(system: Place, file: string | undefined): TypesDb | undefined {
  return file === undefined ? undefined : loadTypesDb(system, file);
}

/** The seconds of a span such as `30s`, `1m`, `2h` or `1d`. Throws a usage error if it is not valid. */
export function readSpan(typed: string | undefined, flag: string): number | undefined {
  if (typed === undefined) return undefined;
  const seconds = spanOf(/\d$/.test(typed) ? `${typed}s` : typed) ?? 0;
  if (seconds < 0.001) throw new UsageError(`Invalid span '${typed}' for ${flag}`, "Examples: 30s, 1m, 2h, 1d");
  return seconds;
}
