import { certificate, issues, png, policy, publicKey, readings, rrdDump, tidewater, times, tls } from "./contents.ts";
import type { Preparation } from "./run.ts";

const password = { "password.txt": "not-a-secret-harbormaster\n" };

/** What the other examples need, by noun, by verb, or by the line itself. */
export const ofServers: Readonly<Record<string, Preparation>> = {
  auth: {
    files: { token: "{token}\n", "bot.token": "{token}\n", "backup.sh": '#!/bin/sh\ntest -n "$TOKEN"\n' },
    env: { BROWSER: "{browser}" },
  },
  "tongs auth login": { answers: ["{url}", "Paste an access token", "{token}"] },
  "tongs auth login --web --no-browser": { answers: ["{url}"], until: "/login/oauth/authorize" },
  // Gitea refuses other scopes than those that were granted first.
  "tongs auth refresh --scopes read:repository,read:issue,read:user": {
    before: ["tongs auth login --web --host https://git.example.org"],
    code: 4,
  },
  "tongs auth refresh": { before: ["tongs auth login --web --host https://git.example.org"] },
  "profile use": { before: ["tongs profile rename work mara"] },
  "profile set": { files: { "company-ca.pem": certificate, "work.pem": certificate } },
  "profile rename": { before: ["tongs profile rename work git.example.org"] },
  "profile delete": { before: ["tongs profile rename work old.example.org"] },
  "tongs mcp serve --allow write --files exchange": { files: { "exchange/notes.txt": "" } },
  "config unset": { before: ["tongs config set editor vi", "tongs config set git_protocol ssh"] },
  user: {
    files: {
      "mara.txt": "not-a-secret-mara\n",
      "lena.txt": "not-a-secret-lena\n",
      "new.txt": "not-a-secret-new\n",
      "people.csv": "username,email,password\nlena,lena@example.org,not-a-secret\n",
      "mara.pub": publicKey("mara"),
      "lena.pub": publicKey("lena"),
      "mara.png": png,
      "newcomers.yml": "users:\n  lena: {email: lena@example.org}\n",
      "leavers.yml": "to: mara\nusers:\n  lena: {email: lena@example.org}\n",
    },
  },
  "user offboard": {
    before: ["tongs user create lena --email lena@example.org --generate-password"],
    words: { jonas: "lena" },
    answers: [true],
  },
  "user create": {
    words: { mara: "lena" },
    answers: ["lena", "lena@example.org", "Generate a password", false, false, true],
  },
  "user delete": {
    before: ["tongs user create lena --email lena@example.org --generate-password"],
    words: { jonas: "lena" },
    answers: ["lena"],
  },
  "user import": { inShell: true },
  "user key delete": {
    before: ["mara", "lena"].map((name) => `tongs user key add mara --title ${name} --key-file ${name}.pub`),
    words: { "3 4": "1 2" },
  },
  "tongs user email delete mara@harbor.example.org --user mara --yes": {
    words: { "mara@harbor.example.org": "alice2@example.com" },
  },
  "user badge remove": { words: { "early-bird": "keeper" } },
  "user block remove": { before: ["tongs user block add jonas"] },
  star: { files: { "repositories.txt": "mara/harbor\n" } },
  "star check": { before: ["tongs star mara/harbor"] },
  "star remove": { before: ["tongs star mara/harbor"] },
  follow: { files: { "users.txt": "mara\njonas\n" } },
  "follow remove": { before: ["tongs follow mara", "tongs follow jonas"] },
  "follow check": { before: ["tongs follow mara"], words: { "--by jonas": "--by harbormaster" } },
  org: { before: [...tidewater, "tongs team member add tidewater/pilots jonas"], files: { "anchor.png": png } },
  "org create": { words: { tidewater: "lowwater" } },
  "org delete": {
    before: ["tongs repo delete tidewater/charts --yes", "tongs repo delete tidewater/tides --yes"],
    answers: ["tidewater"],
  },
  "org repo delete": { answers: ["tidewater"] },
  team: {
    before: [
      ...tidewater,
      "tongs team create tidewater/crew --units code",
      "tongs team member add tidewater/pilots jonas",
      "tongs team repo add tidewater/pilots charts",
    ],
  },
  "team create": { before: ["tongs team delete tidewater/pilots --yes", "tongs team delete tidewater/crew --yes"] },
  runner: { words: { "3 4": "1", " 3 ": " 1 " } },
  "ssh-key": { files: { ".ssh/id_ed25519.pub": publicKey("mara") } },
  "ssh-key delete": { before: ["tongs ssh-key add ~/.ssh/id_ed25519.pub --title laptop"], words: { " 7 ": " 1 " } },
  token: { files: password, answers: ["not-a-secret-harbormaster"] },
  // The sandbox is a Gitea.
  "tongs token create deploy --scope write:repository --only-repo mara/harbor": { code: 5 },
  "token delete": { before: ["tongs token create ci --scope read:user --password-file password.txt"] },
  variable: {
    before: [...tidewater, "tongs variable set TIDE_TABLE --body may", "tongs variable set BERTH --body 2"],
    files: { "harbor.env": "TIDE_TABLE=june\n" },
  },
  secret: {
    before: [...tidewater, "tongs secret set DEPLOY_KEY --org tidewater --body-file deploy.pem"],
    files: { "harbor.env": "TIDE_TABLE=june\n", "deploy.pem": "not-a-secret\n" },
  },
  "tongs secret set DEPLOY_KEY": { answers: ["not-a-secret"] },
  notification: {
    before: [...issues(12), "tongs pr create --head fog-horn --base berths-by-size --title Fog"],
    as: "mara",
    words: { " 4 7": " 1 4", " 4": " 1" },
  },
  package: {
    as: "mara",
    files: { "map.txt": "map v1\n", "legend.txt": "map v2\n", "build/out.bin": "map v1\n" },
    words: { tidewater: "mara", "type container": "type generic" },
  },
  "package view": {
    words: { "npm/@tide/table@1.2.0": "generic/charts", "view generic/charts": "view generic/charts@1.0.0" },
  },
  "package upload": { words: { "#map.bin": "#map.txt" } },
  "package download": { words: { "download charts": "download --dir out charts@1.0.0", "@1.0.0@1.0.0": "@1.0.0" } },
  // The content of one of the files was recorded.
  "tongs package download charts": { code: 11 },
  // The recorded groups have it.
  "quota rule delete": { code: 9 },
  render: { files: { "README.md": "# harbor\n" } },
  policy: {
    before: tidewater,
    files: { "policy.yml": policy, "accepted.yml": "accept: {public-repository: ['tidewater/*']}\n" },
    env: { HOOK_SECRET: "not-a-secret", DEPLOY_TOKEN: "not-a-secret" },
  },
  "policy check": { code: 1 },
  "policy audit": { code: 1 },
  "policy export": { words: { "policy.yml": "new.yml" } },
  "journal view": { before: times(12, "tongs label create n% --color ff0000") },
  "journal undo": { before: times(12, "tongs label create n% --color ff0000"), answers: [true] },
  metrics: {
    files: {
      "readings.bin": readings,
      "more.bin": readings,
      "all.bin": readings,
      "values.txt": "PUTVAL a/load/load interval=10 N:1:2:3\n",
      "types.db": "load shortterm:GAUGE:0:100, midterm:GAUGE:0:100, longterm:GAUGE:0:100\n",
    },
  },
  "metrics import": {
    files: { "rrd/edge-01/load/load.rrd": "RRD", "dump.xml": rrdDump },
    words: { "/var/lib/collectd/rrd": "rrd" },
  },
  "metrics push": { collectd: true, engine: true },
  // Nothing was interrupted; test/commands/metrics/push.test.ts interrupts a push.
  "tongs metrics push 127.0.0.1:50051 readings.bin --resume": { code: 2 },
  // It would run until it is interrupted.
  "metrics top": { collectd: true, unixsock: true, words: { "metrics top": "metrics top --once" } },
  "metrics query": { collectd: true, unixsock: true },
  // The readings are older.
  "metrics plot": { words: { " --since 6h": "" } },
  "metrics check": { collectd: true, words: { "--since 15m ": "" } },
  // It has no readings yet.
  "tongs metrics check 'df-root/df_complex-free' --server 127.0.0.1:50051 --crit 10e9:": { code: 3 },
  "metrics serve": {
    words: { "metrics serve": "metrics serve --listen 127.0.0.1:0", " --listen 0.0.0.0:50051": "" },
    until: "Listening",
    files: {
      "ca.pem": tls("ca.pem"),
      "server.pem": tls("server.pem"),
      "server.key": tls("server.key"),
      "readings.bin": "",
    },
  },
  "metrics listen": {
    words: { "metrics listen": "metrics listen --udp 127.0.0.1:0" },
    until: "Listening",
    files: { users: "mara: not-a-secret\n" },
  },
  "tongs metrics forge mara/harbor --to forge.bin": { until: "until Ctrl-C" },
  sandbox: { until: "Ctrl-C", words: { "tongs sandbox": "tongs sandbox --port 0", "--port 0 --port 0": "--port 0" } },
  "alias delete": { before: ["tongs alias set co 'pr checkout'"] },
  completion: { files: { ".zfunc/x": "", ".config/fish/completions/x": "" } },
  upgrade: { env: { TONGS_UPDATE_URL: "{url}/newest.json" } },
};
