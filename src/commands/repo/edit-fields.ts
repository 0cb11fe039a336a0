import { choice, inputFile, names, text, wholeList, yesNo } from "../../command/flags.ts";
import { mergeStyles } from "../../forge/repos.ts";

/** Servers drop the settings of a feature that is switched off (docs/server-differences.md, "Repositories"). */
const inPulls = { within: "hasPullRequests" };
const inIssues = { within: "hasIssues" };

/** The flags for the fields of `PATCH /repos/{owner}/{repo}` that are sent as they are. */
export const editFields = {
  name: text("new name", { placeholder: "NAME" }),
  description: text("description", { short: "d" }),
  website: text("website", { placeholder: "URL" }),
  defaultBranch: text("default branch", { placeholder: "BRANCH", source: "branch" }),
  private: yesNo("make the repository private"),
  template: yesNo("make the repository a template"),
  archived: yesNo("archive the repository"),
  hasCode: yesNo("enable code"),
  hasIssues: yesNo("enable issues"),
  hasPullRequests: yesNo("enable pull requests"),
  hasWiki: yesNo("enable the wiki"),
  hasProjects: yesNo("enable projects"),
  hasReleases: yesNo("enable releases"),
  hasPackages: yesNo("enable packages"),
  hasActions: yesNo("enable Actions"),
  projectsMode: choice(["repo", "owner", "all"], "which projects are shown", { within: "hasProjects" }),
  allowMergeCommits: yesNo("allow merge commits", inPulls),
  allowRebase: yesNo("allow rebase merging", inPulls),
  allowRebaseExplicit: yesNo("allow rebasing with a merge commit", inPulls),
  allowSquashMerge: yesNo("allow squash merging", inPulls),
  allowFastForwardOnlyMerge: yesNo("allow fast-forward-only merging", inPulls),
  allowManualMerge: yesNo("allow marking as manually merged", inPulls),
  autodetectManualMerge: yesNo("detect manual merges", inPulls),
  defaultMergeStyle: choice(mergeStyles, "default merge style", inPulls),
  allowMergeUpdate: yesNo("allow updating pull requests by merging", inPulls),
  allowRebaseUpdate: yesNo("allow updating pull requests by rebasing", inPulls),
  defaultUpdateStyle: choice(["merge", "rebase"], "default style of updates", inPulls),
  defaultDeleteBranchAfterMerge: yesNo("delete the branch of a merged pull request by default", inPulls),
  defaultAllowMaintainerEdit: yesNo("allow edits by maintainers by default", inPulls),
  ignoreWhitespaceConflicts: yesNo("ignore whitespace when looking for conflicts", inPulls),
  wikiBranch: text("branch of the wiki", { placeholder: "BRANCH" }),
  globallyEditableWiki: yesNo("let every user edit the wiki"),
  mirrorInterval: text("interval of a pull mirror: 8h0m0s", { placeholder: "DURATION" }),
  enablePrune: yesNo("prune a pull mirror"),
  mirrorUsername: text("username for the source of a pull mirror", { placeholder: "USER" }),
};

/** The flags of the three records within the body. */
export const trackerFields = {
  externalTrackerUrl: text("use an external issue tracker at this address", { placeholder: "URL", ...inIssues }),
  externalTrackerFormat: text("address of an issue there: https://…/{index}", { placeholder: "URL", ...inIssues }),
  externalTrackerStyle: choice(
    ["numeric", "alphanumeric", "regexp"],
    "issue number format of the external tracker",
    inIssues,
  ),
  externalTrackerRegexpPattern: text("pattern of the numbers", { placeholder: "REGEXP", ...inIssues }),
};
export const internalFields = {
  enableTimeTracker: yesNo("enable time tracking", inIssues),
  allowOnlyContributorsToTrackTime: yesNo("allow only contributors to track time", inIssues),
  enableIssueDependencies: yesNo("enable issue dependencies", inIssues),
};
export const wikiFields = {
  externalWikiUrl: text("use an external wiki at this address", { placeholder: "URL", within: "hasWiki" }),
};

/** The flags for topics, which another operation sets. */
export const topicFlags = {
  topic: wholeList("set the topics, replacing all others; '' removes all", { placeholder: "TOPIC" }),
  addTopic: names("add topics", { placeholder: "TOPIC" }),
  removeTopic: names("remove topics", { placeholder: "TOPIC", opposite: "addTopic" }),
};

/** The flags for secrets of a pull mirror, which are read from files. */
export const secretFlags = {
  mirrorPasswordFile: inputFile("read the password for the source of a pull mirror from a file", { names: "password" }),
  mirrorTokenFile: inputFile("read the token for the source of a pull mirror from a file", { names: "password" }),
};
