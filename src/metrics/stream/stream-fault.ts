/** What can be wrong with a stream of messages. Only behind a `bad-message` can reading go on. */
export type FaultKind = "truncated" | "bad-length" | "bad-frame" | "bad-message";

/** One finding about a stream, in a form to count and to say. */
export interface StreamFault {
  readonly kind: FaultKind;
  /** Which message, from 1. */
  readonly message: number;
  /** The byte of the input that is wrong, from 0; of a compressed message, where its frame begins. */
  readonly at: number;
  /** What is wrong, as the end of a sentence. */
  readonly what: string;
}

/** `message 3, byte 151: the message ends inside a number`. */
export function faultText({ message, at, what }: StreamFault): string {
  return `message ${message}, byte ${at}: ${what}`;
}
