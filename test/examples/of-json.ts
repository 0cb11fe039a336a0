import type { Preparation } from "./run.ts";

/** What is run with `--json`, if not the first example of a verb, and what else is there before. */
export interface InJson extends Pick<Preparation, "before" | "files" | "code"> {
  readonly line?: string;
}

/** Of verbs whose examples need a shell or answers, print a part, or have nothing to print. */
export const ofJson: Readonly<Record<string, InJson>> = {
  "auth login": { line: "tongs auth login --host https://git.example.org --profile bot --token-file bot.token" },
  "auth token": { line: "tongs auth token --profile work" },
  "pr stack": { line: "tongs pr stack 12" },
  "pr merged": { line: "tongs pr merged 12" },
  "issue pinned": { before: ["tongs issue pin 12"] },
  "issue block list": { before: ["tongs issue block add 12 10"] },
  "issue dependency list": { before: ["tongs issue dependency add 12 10"] },
  "repo delete": { line: "tongs repo delete mara/scratch --yes" },
  "repo transfer start": { line: "tongs repo transfer jonas -R mara/harbor --yes" },
  "repo collaborator permission": { line: "tongs repo collaborator permission jonas" },
  "repo mirror view": { line: "tongs repo mirror view remote_mirror_HsYw8WTQkY" },
  "repo stargazers": { before: ["tongs star mara/harbor"] },
  "org delete": { line: "tongs org delete tidewater --yes" },
  "org member list": { line: "tongs org member list tidewater" },
  "org repo delete": { line: "tongs org repo delete tidewater --yes" },
  "label import": { line: "tongs label import labels.csv" },
  "user create": { line: "tongs user create mara --email mara@example.org --generate-password" },
  "user delete": { line: "tongs user delete jonas --yes" },
  "user offboard": { line: "tongs user offboard jonas --to mara --yes" },
  "user import": { line: "tongs user import people.csv --yes" },
  "user key list": { before: ["tongs user key add mara --title mara --key-file mara.pub"] },
  "user block list": { before: ["tongs user block add jonas"] },
  "user actor": { line: "tongs user actor mara" },
  "star list": { before: ["tongs star mara/harbor"] },
  "star check": { line: "tongs star check mara/harbor" },
  "follow list": { line: "tongs follow list", before: ["tongs follow mara"] },
  "follow followers": { before: ["tongs follow mara"] },
  "run rerun": { line: "tongs run rerun latest" },
  "workflow list": { line: "tongs workflow list" },
  "file patch": {
    line: 'tongs file patch new.diff -m "Fix the tides"',
    files: { "new.diff": "--- /dev/null\n+++ b/tides.txt\n@@ -0,0 +1 @@\n+low\n" },
  },
  "search issue": { line: "tongs search issue tides" },
  "template gitignore view": { line: "tongs template gitignore view Go" },
  "template license view": { line: "tongs template license view MIT" },
  browse: { line: "tongs browse 12 --no-browser" },
  "ssh-key add": { line: "tongs ssh-key add .ssh/id_ed25519.pub --title laptop" },
  "ssh-key list": { before: ["tongs ssh-key add .ssh/id_ed25519.pub --title laptop"] },
  "gpg-key add": {
    line: "tongs gpg-key add mara.asc",
    files: { "mara.asc": "-----BEGIN PGP PUBLIC KEY BLOCK-----\n" },
  },
  "gpg-key verify": {
    line: "tongs gpg-key verify 6E60D493D5589E96 --signature-file mara.sig",
    files: { "mara.sig": "-----BEGIN PGP SIGNATURE-----\n" },
  },
  "token list": { line: "tongs token list --password-file password.txt" },
  "token create": { line: "tongs token create ci --scope read:user --password-file password.txt" },
  "token delete": { line: "tongs token delete ci --yes --password-file password.txt" },
  "admin org list": { before: ["tongs org create lowtide --visibility private"] },
  "secret list": { before: ["tongs secret set DEPLOY_KEY --body-file deploy.pem"] },
  "secret set": { line: "tongs secret set DEPLOY_KEY --body-file deploy.pem" },
  "package list": { line: "tongs package list --owner tidewater" },
  "notification view": { line: "tongs notification view 4" },
  status: { before: ["tongs issue create -R mara/harbor --title Mine --body New --assignee harbormaster"] },
  "policy schema": { line: "tongs policy schema" },
  "journal list": { before: ["tongs label create kelp --color ff0000"] },
  "journal undo": { line: "tongs journal undo 12 --yes" },
  "alias list": { before: ["tongs alias set co 'pr checkout'"] },
};

/** Verbs that are not run as Forgejo, which lacks what is done before, or whose recordings do not fit together. */
export const notAsForgejo: ReadonlySet<string> = new Set([
  ...["pr unlock", "issue unlock", "user badge remove", "user block list", "user block remove", "workflow enable"],
  ...[
    "run cancel",
    "gpg-key verify",
    "gpg-key delete",
    "issue attachment download",
    "package upload",
    "package download",
  ],
]);
