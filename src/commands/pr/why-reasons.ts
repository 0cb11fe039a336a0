import { branchGet } from "../../forge/branches.ts";
import type { CommitStatus } from "../../forge/commits.ts";
import { listRelated } from "../../forge/dependencies.ts";
import { collect } from "../../forge/listings.ts";
import { hasSigningKey, mergeRuleGet, pullSignatureList } from "../../forge/merge-rules.ts";
import { call, find } from "../../forge/operation.ts";
import { type PullRequest, pullFileList } from "../../forge/pulls.ts";
import { HttpError, ifVisible, ServerError } from "../../http/errors.ts";
import { commandIn, type Place } from "../../profiles/server.ts";
import { filePatterns } from "../../text/glob.ts";
import { isDraft, type PullContext } from "./pull.ts";
import { finishedReasons, headReasons, shortList } from "./refusal.ts";
import { mergedBase } from "./stack-chain.ts";
import { checkReasons } from "./why-checks.ts";
import type { Conflict } from "./why-mergeability.ts";
import { type Mergeability, settledMergeability } from "./why-mergeability.ts";
import { reviewReasons } from "./why-reviews.ts";
import { accounts, type Explanation, type Reason, type Rules, reason } from "./why-shape.ts";

interface ExplainOptions {
  readonly patience?: number;
  readonly statuses?: Promise<readonly CommitStatus[]>;
  /** What is known of its mergeability already. */
  readonly settled?: Mergeability | undefined;
  /** The branch whose rules count, where those below are to be merged first, if it is not its base. */
  readonly into?: string;
}

/**
 * Finds every reason why a pull request cannot be merged now. Waits for the server to check it, at most 8 seconds, or
 * `patience` in milliseconds.
 */
export async function explainPull(
  context: PullContext,
  first: PullRequest,
  { patience, statuses, settled, into = first.base.ref }: ExplainOptions = {},
): Promise<Explanation> {
  const { number, title } = first;
  const found = settled ?? (await settledMergeability(context, first, { patience }));
  const { pull, state } = found;
  const finished = [...finishedReasons(pull, context)];
  if (finished.length > 0) return { number, title, mergeable: false, reasons: finished, unchecked: [] };
  const rules = await readRules(context, into);
  const reasons = [...stateReasons(found, context)];
  const unchecked: string[] = state === "unknown" ? ["conflict"] : [];
  if (rules === undefined) {
    reasons.push(reason("base_missing", `The base branch ${into} does not exist`, "Change the base: --base"));
  } else {
    const stale = into === first.base.ref ? await mergedBase(pull, context) : undefined;
    if (stale !== undefined) reasons.push(stale);
    reasons.push(...permissionReasons(pull, rules, into));
    reasons.push(...(await reviewReasons(context, pull, rules, unchecked)));
    reasons.push(...(await checkReasons(context, pull, rules, statuses)));
    reasons.push(...(await protectionReasons(context, pull, rules, unchecked)));
  }
  reasons.push(...(await dependencyReasons(context, number)));
  const mergeable = reasons.length > 0 ? false : state === "checking" ? null : true;
  return { number, title, mergeable, reasons, unchecked };
}

/** The rules of the base branch, or undefined if it does not exist. */
async function readRules({ http, repo }: PullContext, into: string): Promise<Rules | undefined> {
  const branch = await find(http, branchGet, { repo, branch: into });
  const name = branch?.effective_branch_protection_name;
  // The name is empty, and the protection 403 or 404, for everyone but administrators of the repository.
  if (!branch?.protected || !name) return branch && { branch, protection: undefined };
  return { branch, protection: await ifVisible(call(http, mergeRuleGet, { repo, name })) };
}

/** That it conflicts. */
export function conflictReason(at: Place, number: number, message: string, files: readonly string[]): Reason {
  const clear = `Resolve the conflict locally and push: ${commandIn(at, `tongs pr checkout ${number}`)}`;
  return reason("conflict", message, clear, { files });
}

/** That it conflicts in files, if there are any; unless git found them, both sides changed them. */
export function* conflictReasons(pull: PullRequest, { certain, files }: Conflict, at: Place): Generator<Reason> {
  const { base, number } = pull;
  const list = shortList(files);
  const seems = `Appears to conflict with ${base.ref}. Changed on both sides: ${list}`;
  const message = certain === "yes" ? `Conflicts with ${base.ref} in ${list}` : seems;
  if (files.length > 0 && certain !== "no") yield conflictReason(at, number, message, files);
}

/** What keeps any merge of it, whatever the rules of the branch are. */
export function* stateReasons({ pull, state, files, certain }: Mergeability, at: Place): Generator<Reason> {
  if (pull.base.repo?.archived) {
    yield reason("archived", "The repository is archived", "Unarchive the repository in its settings");
  }
  if (isDraft(pull)) {
    yield reason(
      "draft",
      "It is a draft",
      `Mark it as ready for review: ${commandIn(at, `tongs pr ready ${pull.number}`)}`,
    );
  }
  yield* headReasons(pull, at);
  if (pull.merge_base !== undefined && pull.merge_base === pull.head.sha) {
    const message = `It has nothing to merge: ${pull.base.ref} already contains its head`;
    yield reason("nothing_to_merge", message, "Push commits to its head branch, or close it");
  }
  if (state !== "conflict") return;
  if (files.length === 0) yield conflictReason(at, pull.number, `Conflicts with ${pull.base.ref}`, files);
  yield* conflictReasons(pull, { certain, files }, at);
}

function* permissionReasons(pull: PullRequest, { branch, protection }: Rules, into: string): Generator<Reason> {
  const canPush = pull.base.repo?.permissions?.push;
  if (branch.user_can_merge ?? canPush ?? true) return;
  if (protection?.enable_merge_whitelist || (branch.protected && canPush)) {
    const users = accounts(protection?.merge_whitelist_usernames, protection?.merge_whitelist_teams);
    const message = `You are not on the merge allowlist of ${into}`;
    const clear =
      users.length === 0 ? "Ask someone on the allowlist to merge it" : `Ask ${shortList(users)} to merge it`;
    yield reason("merge_allowlist", message, clear, { users });
  } else {
    yield reason(
      "no_permission",
      "You have no write access to the repository",
      "Ask someone with write access to merge it",
    );
  }
}

/** Outdated branches, protected files and signatures: rules that only administrators of the repository can read. */
async function protectionReasons(
  context: PullContext,
  pull: PullRequest,
  { branch, protection }: Rules,
  unchecked: string[],
): Promise<Reason[]> {
  const { http, repo } = context;
  const found: Reason[] = [];
  const isOnBase = pull.base.ref === branch.name;
  const isBehind = isOnBase && pull.merge_base !== undefined && pull.merge_base !== pull.base.sha;
  if (protection === undefined) {
    if (branch.protected) unchecked.push(...(isBehind ? ["behind"] : []), "protected_files", "signatures");
    return found;
  }
  if (protection.block_on_outdated_branch && isBehind) {
    const clear = `Update the branch: ${commandIn(context, `tongs pr update ${pull.number}`)}`;
    found.push(reason("behind", `It is behind ${pull.base.ref}`, clear));
  }
  const patterns = protection.protected_file_patterns ?? "";
  if (patterns !== "") {
    const isProtected = filePatterns(patterns);
    // Forgejo fails to list them if the repository of the head was deleted.
    const changed = await collect(call(http, pullFileList, { repo, index: pull.number })).catch((error: unknown) => {
      if (!(error instanceof ServerError)) throw error;
      unchecked.push("files");
      return [];
    });
    const files = changed.map(({ filename }) => filename).filter(isProtected);
    const message = `It changes protected files: ${shortList(files)}`;
    const clear = `Remove the changes to files that match ${patterns}`;
    if (files.length > 0) found.push(reason("protected_files", message, clear, { files }));
  }
  if (protection.require_signed_commits) {
    const commits = await collect(
      call(http, pullSignatureList, { repo, index: pull.number, verification: true, files: false }),
    );
    const unsigned = commits.filter(({ commit }) => commit?.verification?.verified !== true);
    if (unsigned.length > 0) {
      const shown = shortList(unsigned.map(({ sha }) => sha.slice(0, 10)));
      found.push(
        reason("unsigned_commits", `Commits without a verified signature: ${shown}`, "Sign the commits and push"),
      );
    }
    if ((await hasSigningKey(http, repo)) === false) {
      const clear = "Ask an administrator of the server to set up a signing key";
      found.push(reason("no_signing_key", "The server has no key to sign the merge with", clear));
    }
  }
  return found;
}

/** That issues or pull requests that it depends on are open. */
export async function dependencyReasons({ http, repo }: PullContext, number: number): Promise<Reason[]> {
  const all = await collect(listRelated(http, { of: "dependencies", repo, index: number })).catch((error: unknown) => {
    // Dependencies can be switched off, and the issues of another repository can be hidden.
    if (error instanceof HttpError && (error.status === 403 || error.status === 404)) return [];
    throw error;
  });
  const open = all.filter(({ state }) => state === "open");
  if (open.length === 0) return [];
  const titles = open.map(({ number: of, title }) => (of > 0 ? `#${of} ${title}` : title));
  return [reason("dependencies", `Open dependencies: ${shortList(titles)}`, "Close them, or remove the dependencies")];
}
