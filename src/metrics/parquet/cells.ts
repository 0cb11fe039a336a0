import type { Fields } from "../decode/fields.ts";
import { kindNames, seriesOf } from "../decode/series.ts";
import { createJsonTail } from "../formats/json-tail.ts";
import { identityParts, partOf } from "../reading/identity.ts";
import { intervalOf } from "../reading/moments.ts";
import { displayText } from "../wire/text.ts";
import type { Cell } from "./series-table.ts";

/** Creates a function that makes the cells of `seriesColumns` for the value at `index` of a reading. */
export function cellsMaker(): (fields: Fields, index: number) => Cell[] {
  const json = createJsonTail();
  return (fields, index) => {
    const series = seriesOf(fields);
    return [
      ...identityParts.map((part) => displayText(partOf(series, part))),
      displayText(series.ds_names[index] ?? ""),
      kindNames[fields.kinds[index] ?? 0] ?? "",
      series.interval === undefined ? null : intervalOf(series.interval),
      fields.metaCount === 0 ? null : json.metadata(fields),
    ];
  };
}
