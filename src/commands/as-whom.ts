import { addressText } from "../profiles/address.ts";
import type { Server } from "../profiles/server.ts";

/** `as mara on https://example.org`: how a write says as whom and where it happened. */
export function asWhom(server: Server): string {
  const where = `on ${addressText(server.base)}`;
  return server.user === undefined ? where : `as ${server.user} ${where}`;
}
