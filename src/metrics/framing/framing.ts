/** How messages lie in a file: one after the other behind varint lengths, one alone, or as gRPC puts them on the wire. */
export type Framing = "delimited" | "raw" | "grpc";

/** A framing, and whether each message is a request or answer with the reading inside. */
export interface Layout {
  readonly framing: Framing;
  readonly wrapped: boolean;
}

/** The longest message that is taken, in bytes: four times what gRPC takes by default, thousands of times a reading. */
export const longestMessage = 16 * 1024 * 1024;

/** The layout that a framing means when it is named rather than guessed. */
export function layoutOf(framing: Framing): Layout {
  return { framing, wrapped: framing === "grpc" };
}
