import { UsageError } from "../../failure/failure.ts";
import type { Fault } from "./faults.ts";

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
export function faultsOf(rules: readonly string[]): (method: string, path: string) => Fault | undefined {
  const read = rules.map(ruleOf);
  return (method, path) => {
    const rule = read.find((one) => one.left > 0 && (one.method ?? method) === method && one.path.test(path));
    if (rule === undefined) return undefined;
    rule.left -= 1;
    return rule.fault;
  };
}

function ruleOf(text: string): Rule {
  const [, method, path = "", what = "", times] =
    /^(?:([A-Za-z]+)\s+)?(\S*[/*]\S*)\s+(\S+?)(?:\s+x(\d+))?$/.exec(text.trim()) ?? [];
  const fault = faultNamed(what);
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

function faultNamed(what: string): Fault | undefined {
  if (what === "whole") return { whole: true };
  const [, name, number = ""] = /^(status|delay|cut)=(\d+(?:\.\d+)?)$/.exec(what) ?? [];
  const value = Number(number);
  if (name === "delay") return { delay: value * 1000 };
  if (name === "cut" && Number.isInteger(value)) return { cutAfter: value };
  return name === "status" && /^[2-5]\d\d$/.test(number) ? { status: value } : undefined;
}
