import { addressText } from "./address.ts";
import type { Server } from "./server.ts";

/** `as mara on https://git.example.org`: every write says as whom and where it happened. */
export function asWhom(server: Server): string {
  const where = `on ${addressText(server.base)}`;
  return server.user === undefined ? where : `as ${server.user} ${where}`;
}
