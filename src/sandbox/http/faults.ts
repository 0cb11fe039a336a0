import type { ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { send } from "./answer.ts";
import { type Reply, text } from "./reply.ts";

/** What goes wrong with an answer: it comes late, is another one, breaks off after some bytes, or heeds no `Range`. */
export type Fault =
  | { readonly delay: number }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly cutAfter: number }
  | { readonly whole: true };

/** Sends a reply with something wrong. What the request did has been done all the same. */
export async function sendFaulty(response: ServerResponse, method: string, reply: Reply, fault: Fault): Promise<void> {
  if ("delay" in fault) await setTimeout(fault.delay);
  // Without its range the request was another one from the beginning.
  if ("delay" in fault || "whole" in fault) return send(response, method, reply);
  if ("status" in fault) {
    return send(
      response,
      method,
      text(fault.status, "a fault that was asked for\n", "text/plain", fault.headers ?? {}),
    );
  }
  const body = Buffer.from(typeof reply.body === "string" || Buffer.isBuffer(reply.body) ? reply.body : "");
  response.writeHead(reply.status, { ...reply.headers, "Content-Length": String(body.length) });
  response.write(body.subarray(0, fault.cutAfter), () => response.destroy());
}
