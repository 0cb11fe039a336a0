import { type Fields, kind } from "../decode/fields.ts";
import { writeDouble, writeSigned, writeText, writeUnsigned } from "./write.ts";

const { derive, gauge } = kind;

/** Writes an integer value. */
export function writeInteger(fields: Fields, index: number, view: DataView, at: number): number {
  const high = fields.high[index] ?? 0;
  const low = fields.low[index] ?? 0;
  return fields.kinds[index] === derive ? writeSigned(view, at, high, low) : writeUnsigned(view, at, high, low);
}

/** Writes a value: the shortest text of a double, also `-0`, `NaN` and `Infinity`; nothing for one without a type. */
export function writeValue(fields: Fields, index: number, view: DataView, at: number): number {
  const which = fields.kinds[index];
  if (which === gauge) {
    const value = fields.gauges[index] ?? 0;
    return Number.isFinite(value) ? writeDouble(view, at, value) : writeText(view, at, String(value));
  }
  return which === 0 ? at : writeInteger(fields, index, view, at);
}
