import { choiceOr, type FlagValues, text, toggle } from "../../command/flags.ts";
import { identityFilter, readTime } from "../../metrics/reading/select.ts";

/** Flags of commands that read encoded readings. */
export const readingFlags = {
  framing: choiceOr(["auto", "delimited", "raw", "grpc"], "auto", "how messages are framed in the input"),
  lenient: toggle("accept strings that are not UTF-8, and show their bytes"),
  skipErrors: toggle("skip bad messages"),
  host: text("only readings of this host; * and ? are wildcards", { placeholder: "H" }),
  plugin: text("only this plugin", { placeholder: "P" }),
  pluginInstance: text("only this plugin instance", { placeholder: "I" }),
  type: text("only this type", { placeholder: "T" }),
  typeInstance: text("only this type instance", { placeholder: "I" }),
  since: text("only readings at or after this time: a date and time, a date, or 2h (two hours ago)", {
    placeholder: "T",
  }),
  until: text("only readings before this time", { placeholder: "T" }),
};

/** The filter and time range that these flags select. */
export function selection(flags: FlagValues<typeof readingFlags>, now: Date) {
  const { host, plugin, pluginInstance, type, typeInstance } = flags;
  return {
    filter: identityFilter({ host, plugin, plugin_instance: pluginInstance, type, type_instance: typeInstance }),
    timeRange: { since: readTime(flags.since, "--since", now), until: readTime(flags.until, "--until", now) },
  };
}
