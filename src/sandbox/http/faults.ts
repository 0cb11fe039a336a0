import type { ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { UsageError } from "../../failure/failure.ts";
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

interface Rule {
  readonly method: string | undefined;
  readonly path: RegExp;
  readonly fault: Fault;
  /** How many requests it still spoils. */
  left: number;
}

/**
 * What goes wrong on purpose, from rules like `GET *zip/raw cut=1000 x1`: a method (any without one), a path in which
 * `*` stands for anything, a fault, and for how many requests (all without it). The first rule that fits and has not
 * been used up counts. Throws a UsageError for a rule that says something else.
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
      `--fault does not understand ${JSON.stringify(text)}`,
      "as in --fault 'GET *zip/raw cut=1000 x1'; the faults are status=CODE, delay=SECONDS, cut=BYTES and whole",
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
