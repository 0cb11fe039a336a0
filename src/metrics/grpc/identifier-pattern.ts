import { type Identified, seriesName } from "../reading/identity.ts";
import { wildcard } from "../reading/wildcard.ts";
/**
 * The pattern for `HOST/PLUGIN-INSTANCE/TYPE-INSTANCE`; its wildcards match within these parts, and missing parts match
 * everything. The server is asked for the hosts only: where a name ends and its instance begins is not in the pattern.
 */
export function identifierPattern(typed: string) {
  const [host = "*", plugin = "*", ...type] = typed.split("/");
  const tests = [host, plugin, type.length === 0 ? "*" : type.join("/")].map((part) =>
    wildcard(part === "" ? "*" : part),
  );
  return {
    patterns: { host: host === "" ? "*" : host, plugin: "*", plugin_instance: "*", type: "*", type_instance: "*" },
    matches: (reading: Identified) => {
      const [first = "", second = "", ...rest] = seriesName(reading).split("/");
      return [first, second, rest.join("/")].every((part, index) => tests[index]?.(part) === true);
    },
  };
}
