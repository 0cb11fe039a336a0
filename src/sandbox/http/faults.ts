import type { ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { UsageError } from "../../failure/failure.ts";
import { send } from "./answer.ts";
import { type Reply, text } from "./reply.ts";

/**
 * A fault to simulate: a delay (in milliseconds), another status, a connection cut after some bytes of the body, or an
 * ignored `Range`.
 */
export type Fault =
  | { readonly delay: number }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly cutAfter: number }
  | { readonly whole: true };

/** Sends a reply with a fault. The request itself has been handled normally. */
export async function sendFaulty(response: ServerResponse, method: string, reply: Reply, fault: Fault): Promise<void> {
  if ("delay" in fault) await setTimeout(fault.delay);
  // For `whole`, the range was removed before the request was handled.
  if ("delay" in fault || "whole" in fault) return send(response, method, reply);
  if ("status" in fault) {
    return send(response, method, text(fault.status, "simulated fault\n", "text/plain", fault.headers ?? {}));
  }
  const body = Buffer.from(typeof reply.body === "string" || Buffer.isBuffer(reply.body) ? reply.body : "");
  response.writeHead(reply.status, { ...reply.headers, "Content-Length": String(body.length) });
  response.write(body.subarray(0, fault.cutAfter), () => response.destroy());
}

interface Rule {
  readonly method: string | undefined;
  readonly path: RegExp;
  readonly fault: Fault;
  /** How many more requests it applies to. */
  left: number;
}

/**
 * Parses fault rules such as `GET *zip/raw cut=1000 x1`: an optional method, a path in which `*` matches anything, a
 * fault, and an optional number of requests. The first matching rule that is not used up applies. Throws a UsageError
 * for an invalid rule.
 */
export function parseFaults(rules: readonly string[]): (method: string, path: string) => Fault | undefined {
  const read = rules.map(parseRule);
  return (method, path) => {
    const rule = read.find((one) => one.left > 0 && (one.method ?? method) === method && one.path.test(path));
    if (rule === undefined) return undefined;
    rule.left -= 1;
    return rule.fault;
  };
}

function parseRule(text: string): Rule {
  const [, method, path = "", what = "", times] =
    /^(?:([A-Za-z]+)\s+)?(\S*[/*]\S*)\s+(\S+?)(?:\s+x(\d+))?$/.exec(text.trim()) ?? [];
  const fault = parseFault(what);
  if (fault === undefined) {
    throw new UsageError(
      `Invalid --fault ${JSON.stringify(text)}`,
      "Use [METHOD] PATH FAULT [xTIMES], for example 'GET *zip/raw cut=1000 x1'. The faults are status=CODE, delay=SECONDS, cut=BYTES and whole.",
    );
  }
  const pattern = path.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
  const left = times === undefined ? Number.POSITIVE_INFINITY : Number(times);
  return { method: method?.toUpperCase(), path: new RegExp(`^${pattern}$`), fault, left };
}

function parseFault(what: string): Fault | undefined {
  if (what === "whole") return { whole: true };
  const [, name, number = ""] = /^(status|delay|cut)=(\d+(?:\.\d+)?)$/.exec(what) ?? [];
  const value = Number(number);
  if (name === "delay") return { delay: value * 1000 };
  if (name === "cut" && Number.isInteger(value)) return { cutAfter: value };
  return name === "status" && /^[2-5]\d\d$/.test(number) ? { status: value } : undefined;
}
