/** The verbs of a noun. */
const verbs = (noun: string, all: string) => all.split(" ").map((verb) => `${noun} ${verb}`);

/**
 * Nouns, verbs and lines that the sandbox does not play, with the reason; recordings of live servers answer what it
 * refuses. The sandbox is for a first day with tongs.
 */
export const recorded: Readonly<Record<string, readonly string[]>> = {
  "its issues have no forms, times, reactions, subscriptions, events, pins and dependencies": [
    ...verbs("issue", "template start stop time reaction subscribe unsubscribe timeline"),
    ...verbs("issue", "pin unpin pinned block dependency"),
    'tongs issue create --template "Bug report" --title "The lamp is dark" --field where=north --field "sure=I looked"',
    "comment reaction",
    ...verbs("pr thread", "reply resolve unresolve"),
  ],
  "it has no wikis, git notes and archives of the sources": [
    ...verbs("wiki", "list view create edit delete history"),
    "commit note view",
    "tongs release download v1.2.0 --archive tar.gz",
  ],
  "it does not say the last commit of each file": ["tongs file list docs --commits"],
  "it has no packages": [
    ...verbs("package", "files view upload download delete link unlink"),
    "tongs package list generic/charts",
  ],
  "it renders nothing, and knows no templates but those of labels": [
    ...["render", "template gitignore", "template license", "search topic"],
  ],
  "it has one server, which knows no other": ["repo mirror", "repo migrate", "upgrade", "user actor"],
  "its repositories stay with their owner and have one kind of key": [
    ...verbs("repo", "transfer deploy-key license generate"),
  ],
  "its people have no feed, pictures, badges, blocks, further addresses, settings, GPG keys and applications": [
    ...["repo", "org", "team", "user"].map((noun) => `${noun} activity`),
    ...["repo", "org", "user"].map((noun) => `${noun} avatar`),
    ...[
      "user email add",
      "user email delete",
      "user settings",
      "org block",
      "user block",
      "user badge",
      "gpg-key",
      "oauth-app",
    ],
  ],
  "it has no background tasks, and forbids git hooks as servers do by default": [
    ...["admin cron", "admin unadopted", "hook git"],
  ],
};

/** The same for what only Forgejo has; recordings of Forgejo 16.0 answer. */
export const recordedOfForgejo: readonly string[] = [
  ...["quota", "repo flag", "repo convert", "runner register", "runner jobs", "commit note set", "commit note delete"],
  "tongs repo mirror add https://example.org/mara/harbor.git --branch-filter 'main,release/*'",
  ...["tongs user email list mara", "tongs user email delete mara@harbor.example.org --user mara --yes"],
  "tongs follow add https://other.example.org/api/v1/activitypub/user-id/15",
];
