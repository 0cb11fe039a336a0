import { choiceOr, type FlagValues, text, toggle } from "../../command/flags.ts";
import { identityFilter, readTime } from "../../metrics/reading/select.ts";

/** Flags of every command that reads encoded readings. */
export const readingFlags = {
  framing: choiceOr(["auto", "delimited", "raw", "grpc"], "auto", "how messages lie in the input"),
  lenient: toggle("take texts that are not UTF-8, and show their bytes"),
  skipErrors: toggle("go on behind a bad message"),
  host: text("only readings of hosts like this; * and ? stand for anything", { placeholder: "H" }),
  plugin: text("only this plugin", { placeholder: "P" }),
  pluginInstance: text("only this instance of a plugin", { placeholder: "I" }),
  type: text("only this type", { placeholder: "T" }),
  typeInstance: text("only this instance of a type", { placeholder: "I" }),
  since: text("only readings from this time on: a time, a date, or 2h for two hours ago", { placeholder: "T" }),
  until: text("only readings before this time", { placeholder: "T" }),
};

/** The readings that those flags select. */
export function selection(flags: FlagValues<typeof readingFlags>, now: Date) {
  const { host, plugin, pluginInstance, type, typeInstance } = flags;
  return {
    filter: identityFilter({ host, plugin, plugin_instance: pluginInstance, type, type_instance: typeInstance }),
    timeRange: { since: readTime(flags.since, "--since", now), until: readTime(flags.until, "--until", now) },
  };
}
