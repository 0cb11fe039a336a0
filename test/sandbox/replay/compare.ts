import { isRecord } from "./names.ts";

/** The headers that matter to a client. */
const telling = [
  "content-type",
  "link",
  "x-total-count",
  "location",
  "x-gitea-warning",
  "allow",
  "www-authenticate",
  "x-gitea-object-type",
  "x-hasmore",
  "x-pagecount",
  "content-disposition",
  "accept-ranges",
  "content-range",
];

/** Fields compared by value, not only by type. */
const tellingFields = new Set(
  (
    "message state status permission role_name merge_type name full_name login path type encoding content rule_name " +
    "title color description default_branch username filename name_pattern reason last_commit_message draft base64"
  ).split(" "),
);

export interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: unknown;
}

/** The differences between two responses, as lines; empty if they agree. */
export function compare(recorded: Answer, actual: Answer): string[] {
  const wrong: string[] = [];
  if (recorded.status !== actual.status) {
    const said = isRecord(actual.body) ? ` (${String(actual.body["message"])})` : "";
    wrong.push(`status ${recorded.status}, sandbox: ${actual.status}${said}`);
    return wrong;
  }
  for (const name of telling) {
    const [before, after] = [header(recorded, name), header(actual, name)];
    if (before !== after) wrong.push(`${name}: ${before}, sandbox: ${after}`);
  }
  compareValues("body", recorded.body, actual.body, wrong);
  return wrong;
}

function header({ headers }: Answer, name: string): string {
  let value = withoutHost(headers.get(name) ?? "none").replace(/-\d+\.log\b/, "-{task}.log");
  // A log contains text of the runner, so its length differs.
  if (name === "content-range" && headers.get("content-disposition")?.includes(".log"))
    value = value.replace(/\d+/g, "#");
  return name === "allow" ? value.split(/, */).sort().join(", ") : value.replace("; charset", ";charset");
}

const withoutHost = (text: string) =>
  text
    .replace(/^Date: .*$/gm, "Date: …")
    .replace(/\bsig=[\w-]{43}/g, "sig={signature}")
    .replace(/http:\/\/(127\.0\.0\.1|localhost):\d+/g, "{root}");

function compareValues(at: string, recorded: unknown, actual: unknown, wrong: string[]): void {
  if (wrong.length > 8) return;
  if (kindOf(recorded) !== kindOf(actual)) {
    wrong.push(`${at}: ${kindOf(recorded)} ${brief(recorded)}, sandbox: ${kindOf(actual)} ${brief(actual)}`);
  } else if (Array.isArray(recorded) && Array.isArray(actual)) {
    if (recorded.length !== actual.length) wrong.push(`${at}: ${recorded.length} items, sandbox: ${actual.length}`);
    for (const [index, one] of recorded.entries()) {
      if (index < actual.length) compareValues(`${at}[${index}]`, one, actual[index], wrong);
    }
  } else if (isRecord(recorded) && isRecord(actual)) {
    for (const key of Object.keys(recorded)) {
      if (key in actual) compareValues(`${at}.${key}`, inOrder(recorded[key]), inOrder(actual[key]), wrong);
      else wrong.push(`${at}.${key} is missing`);
    }
    for (const key of Object.keys(actual)) if (!(key in recorded)) wrong.push(`${at}.${key} is unexpected`);
  } else if (isTelling(at, recorded) && plain(recorded) !== plain(actual)) {
    wrong.push(`${at}: ${brief(recorded)}, sandbox: ${brief(actual)}`);
  }
}

/** The files of a commit, which Gitea lists in no particular order, by their names; other values as they are. */
function inOrder(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const names = value.map((one: unknown) => (isRecord(one) && !("sha" in one) ? one["filename"] : undefined));
  if (names.some((name) => typeof name !== "string")) return value;
  return [...value].sort((one, other) => (String(one.filename) < String(other.filename) ? -1 : 1));
}

function isTelling(at: string, value: unknown): boolean {
  if (typeof value === "boolean") return true;
  const field = at.slice(at.lastIndexOf(".") + 1).replace(/\[\d+\]$/, "");
  return typeof value === "string" && (at === "body" || tellingFields.has(field));
}

const plain = (value: unknown) =>
  typeof value !== "string" ? value : isLog(value) ? saidIn(value).join("\n") : withoutHost(inShort(value));

/** What a body that is no JSON, or a text that is no time, is refused with: without the words of Go's parsers. */
const inShort = (text: string) =>
  text
    .replace(/^\[\]: (unexpected EOF|invalid character|SyntaxError: ).*$/s, "[]: no JSON")
    .replace("Go struct field aux.", "Go struct field MergePullRequestOption.")
    .replace(/^((\[\]: )?parsing time .*?): cannot parse .*$/s, "$1");
const brief = (value: unknown) => (JSON.stringify(value) ?? "nothing").slice(0, 160);

/** The type of a value. Times that mean "never" have their own types. */
function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  if (typeof value !== "string") return typeof value;
  if (value.startsWith("0001-01-01T")) return "zero time";
  if (value.startsWith("1970-01-01T")) return "epoch";
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value) ? "time" : "string";
}

const stamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z /;
/** Lines written by the runner itself, which depend on its version. */
const byTheRunner =
  /^([\w-]+\(version:|workflow prepared|evaluating expression|expression '|⭐|\s*(✅|❌)|🏁|🧪|Wrote command|Cleaning up|Job '.*' failed|exit status|exitcode|'runs-on' key|No steps found)/u;

/** Whether a text is a job log or a part of one. */
export const isLog = (text: string): boolean => text.split("\n").some((line) => stamp.test(line));

/** The output of the commands in a log. Incomplete lines at either end are dropped. */
export function saidIn(log: string): string[] {
  const whole = log.endsWith("\n") ? log.split("\n") : log.split("\n").slice(0, -1);
  return whole
    .filter((line) => stamp.test(line))
    .map((line) => line.replace(stamp, ""))
    .filter((line) => !byTheRunner.test(line));
}
