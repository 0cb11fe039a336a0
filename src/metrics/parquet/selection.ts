import type { RowGroup } from "hyparquet";
import type { Wanted } from "../index/ranges.ts";
import { type IdentityPart, identityParts } from "../reading/identity.ts";
import { nearestSeconds, type Parts } from "../reading/moments.ts";
import { fromDisplayText } from "../wire/text.ts";

/** Whether a row group may have what is wanted, by its statistics. */
export function mayHave({ columns }: RowGroup, wanted: Wanted): boolean {
  const boundsOf = (name: string) => {
    const { min_value, max_value } =
      columns.find((one) => one.meta_data?.path_in_schema[0] === name)?.meta_data?.statistics ?? {};
    return [min_value, max_value] as const;
  };
  const [from, to] = boundsOf("time_ns");
  if (typeof from === "bigint" && typeof to === "bigint" && !isInTime(wanted, Number(from) / 1e9, Number(to) / 1e9))
    return false;
  return identityParts.every((part) => {
    const [least, most] = boundsOf(part);
    return typeof least !== "string" || typeof most !== "string" || mayBe(wanted, part, least, most);
  });
}

/** The bytes of names are in the files as they are shown: in another order. */
function mayBe(wanted: Wanted, part: IdentityPart, least: string, most: string): boolean {
  if (least !== most && `${least}${most}`.includes("\ufffd")) return true;
  return wanted.mayBe?.(part, fromDisplayText(least), fromDisplayText(most)) !== false;
}

/** Whether some time between these seconds is wanted. Doubles are not exact to a nanosecond. */
function isInTime({ timeRange: { since, until } }: Wanted, from: number, to: number): boolean {
  const seconds = (time: Parts | undefined, otherwise: number) =>
    time === undefined ? otherwise : nearestSeconds(time);
  return to >= seconds(since, -Infinity) && from <= seconds(until, Infinity);
}

/** Whether a directory of a dataset may have what is wanted, by its name. */
export function mayHaveIn(key: string, value: string, day: string, wanted: Wanted): boolean {
  if (key === "host") return mayBe(wanted, "host", value, value);
  const start = Date.parse(key === "day" ? `${value}T00:00:00Z` : `${day}T${value}:00:00Z`) / 1000;
  const { since, until } = wanted.timeRange;
  // Of readings without a time.
  if (Number.isNaN(start)) return since === undefined && until === undefined;
  return isInTime(wanted, start, start + (key === "day" ? 86_400 : 3600));
}
