import type { ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { UsageError } from "../../failure/failure.ts";
import { send } from "./answer.ts";
import { type Reply, text } from "./reply.ts";

/** A fault to simulate: a delay in milliseconds, another status, or a connection cut after some bytes of the body. */
export type Fault = { readonly delay: number } | { readonly status: number } | { readonly cutAfter: number };

/** Sends a reply with a fault. The request itself has been handled normally. */
export async function sendFaulty(response: ServerResponse, method: string, reply: Reply, fault: Fault): Promise<void> {
  if ("status" in fault) return send(response, method, text(fault.status, "simulated fault\n", "text/plain"));
  if ("delay" in fault) {
    await setTimeout(fault.delay);
    return send(response, method, reply);
  }
  const body = Buffer.from(reply.body);
  response.writeHead(reply.status, { ...reply.headers, "Content-Length": String(body.length) });
  response.write(body.subarray(0, fault.cutAfter), () => response.destroy());
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
    if (rule !== undefined) rule.left -= 1;
    return rule?.fault;
  };
}

function parseRule(rule: string) {
  const [, method, path = "", name = "", number = "", times] =
    /^(?:([A-Za-z]+)\s+)?(\S*[/*]\S*)\s+(status|delay|cut)=(\d+(?:\.\d+)?)(?:\s+x(\d+))?$/.exec(rule.trim()) ?? [];
  const value = Number(number);
  const isValid = name === "status" ? /^[2-5]\d\d$/.test(number) : name === "delay" || Number.isInteger(value);
  if (name === "" || !isValid) {
    throw new UsageError(
      `Invalid --fault ${JSON.stringify(rule)}`,
      "Use [METHOD] PATH FAULT [xTIMES], for example 'GET *zip/raw cut=1000 x1'. The faults are status=CODE, delay=SECONDS and cut=BYTES.",
    );
  }
  const fault: Fault =
    name === "status" ? { status: value } : name === "delay" ? { delay: value * 1000 } : { cutAfter: value };
  const pattern = path.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
  return { method: method?.toUpperCase(), path: new RegExp(`^${pattern}$`), fault, left: Number(times ?? Infinity) };
}
