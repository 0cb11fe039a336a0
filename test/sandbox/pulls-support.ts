import { type TestSandbox, testSandbox } from "./with-sandbox.ts";

/** A manual clock in milliseconds. */
export interface Clock {
  now(): Date;
  pass(milliseconds: number): void;
}

export function clock(): Clock {
  let time = Date.parse("2026-11-21T10:00:00Z");
  return { now: () => new Date(time), pass: (milliseconds) => (time += milliseconds) };
}

export const harbor = "/repos/mara/harbor";
/** The delays of background work, in milliseconds. */
const delays = { autoMerge: 10 };

export async function pullSandbox(time: Clock = clock(), dir?: string): Promise<TestSandbox> {
  return testSandbox({ now: time.now, delays, dir });
}

/** Commits a file to a branch, created from main if needed. */
export async function put(
  { ask }: TestSandbox,
  branch: string,
  path: string,
  text: string,
  {
    as = "mara",
    from = "main",
    repo = harbor,
  }: { readonly as?: string; readonly from?: string; readonly repo?: string } = {},
): Promise<void> {
  const isThere = (await ask("GET", `${repo}/branches/${branch}`, as)).status === 200;
  const known = await ask("GET", `${repo}/contents/${path}?ref=${isThere ? branch : from}`, as);
  const sha = known.status === 200 ? (known.body as { sha: string }).sha : undefined;
  const content = Buffer.from(text).toString("base64");
  const where = isThere ? { branch } : { branch: from, new_branch: branch };
  const method = sha === undefined ? "POST" : "PUT";
  const { status, body } = await ask(method, `${repo}/contents/${path}`, as, {
    ...where,
    content,
    sha,
    message: `Write ${path}`,
  });
  if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
}

export interface Pull {
  readonly number: number;
  readonly mergeable: boolean;
  readonly merged: boolean;
  readonly state: string;
  readonly title: string;
  readonly merge_base: string;
  readonly merge_commit_sha: string | null;
  readonly head: { readonly sha: string; readonly ref: string; readonly repo_id: number };
  readonly base: { readonly sha: string; readonly ref: string };
}

export async function open(
  { ask }: TestSandbox,
  head: string,
  { as = "mara", ...more }: { readonly as?: string; readonly [field: string]: unknown } = {},
): Promise<Pull> {
  const { status, body } = await ask("POST", `${harbor}/pulls`, as, {
    title: `From ${head}`,
    head,
    base: "main",
    ...more,
  });
  if (status !== 201) throw new Error(`${head}: ${status} ${JSON.stringify(body)}`);
  return body as Pull;
}

export async function look({ ask }: TestSandbox, { number }: Pick<Pull, "number">): Promise<Pull> {
  return (await ask("GET", `${harbor}/pulls/${number}`, "mara")).body as Pull;
}
