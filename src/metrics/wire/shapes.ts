import { wireType } from "./fields.ts";

/** A field as the schema has it; `message` is the shape of a submessage. */
export interface FieldShape {
  readonly type: number;
  readonly text?: boolean;
  readonly repeated?: boolean;
  readonly message?: MessageShape;
}

/** The fields of a message by number. */
export interface MessageShape {
  readonly fields: ReadonlyMap<number, FieldShape>;
  /** Numbers of submessages that are to be there, empty if need be. */
  readonly always?: readonly number[];
}

const number: FieldShape = { type: wireType.varint };
const double: FieldShape = { type: wireType.fixed64 };
const text: FieldShape = { type: wireType.bytes, text: true };

function shape(fields: Readonly<Record<number, FieldShape>>, always: readonly number[] = []): MessageShape {
  return { fields: new Map(Object.entries(fields).map(([key, field]) => [Number(key), field])), always };
}

function message(of: MessageShape, repeated = false): FieldShape {
  return { type: wireType.bytes, message: of, repeated };
}

const moment = shape({ 1: number, 2: number });
const identifier = shape({ 1: text, 2: text, 3: text, 4: text, 5: text });
const value = shape({ 1: number, 2: double, 3: number, 4: number });
const metadataValue = shape({ 1: text, 2: number, 3: number, 4: double, 5: number });
const metadataEntry = shape({ 1: text, 2: message(metadataValue) }, [2]);

/** `collectd.types.ValueList`, as in proto/collectd/types.proto. */
export const readingShape = shape({
  1: message(value, true),
  2: message(moment),
  3: message(moment),
  4: message(identifier),
  5: { ...text, repeated: true },
  6: message(metadataEntry, true),
});
