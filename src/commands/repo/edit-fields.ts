import { choice, inputFile, names, text, wholeList, yesNo } from "../../command/flags.ts";
import { mergeStyles } from "../../forge/repos.ts";

/** The flags for the fields of `PATCH /repos/{owner}/{repo}` that are sent as they are. */
export const editFields = {
  name: text("new name", { placeholder: "NAME" }),
  description: text("description", { short: "d" }),
  website: text("website", { placeholder: "URL" }),
  defaultBranch: text("default branch", { placeholder: "BRANCH" }),
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
  projectsMode: choice(["repo", "owner", "all"], "which projects are shown"),
  allowMergeCommits: yesNo("allow merge commits"),
  allowRebase: yesNo("allow rebase merging"),
  allowRebaseExplicit: yesNo("allow rebasing with a merge commit"),
  allowSquashMerge: yesNo("allow squash merging"),
  allowFastForwardOnlyMerge: yesNo("allow fast-forward-only merging"),
  allowManualMerge: yesNo("allow marking as manually merged"),
  autodetectManualMerge: yesNo("detect manual merges"),
  defaultMergeStyle: choice(mergeStyles, "default merge style"),
  allowMergeUpdate: yesNo("allow updating pull requests by merging"),
  allowRebaseUpdate: yesNo("allow updating pull requests by rebasing"),
  defaultUpdateStyle: choice(["merge", "rebase"], "default style of updates"),
  defaultDeleteBranchAfterMerge: yesNo("delete the branch of a merged pull request by default"),
  defaultAllowMaintainerEdit: yesNo("allow edits by maintainers by default"),
  ignoreWhitespaceConflicts: yesNo("ignore whitespace when looking for conflicts"),
  wikiBranch: text("branch of the wiki", { placeholder: "BRANCH" }),
  globallyEditableWiki: yesNo("let every user edit the wiki"),
  mirrorInterval: text("interval of a pull mirror: 8h0m0s", { placeholder: "DURATION" }),
  enablePrune: yesNo("prune a pull mirror"),
  mirrorUsername: text("username for the source of a pull mirror", { placeholder: "USER" }),
};

/** The flags of the three records within the body. */
export const trackerFields = {
  externalTrackerUrl: text("use an external issue tracker at this address", { placeholder: "URL" }),
  externalTrackerFormat: text("address of an issue there: https://…/{index}", { placeholder: "URL" }),
  externalTrackerStyle: choice(["numeric", "alphanumeric", "regexp"], "issue number format of the external tracker"),
  externalTrackerRegexpPattern: text("pattern of the numbers", { placeholder: "REGEXP" }),
};
export const internalFields = {
  enableTimeTracker: yesNo("enable time tracking"),
  allowOnlyContributorsToTrackTime: yesNo("allow only contributors to track time"),
  enableIssueDependencies: yesNo("enable issue dependencies"),
};
export const wikiFields = { externalWikiUrl: text("use an external wiki at this address", { placeholder: "URL" }) };

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
