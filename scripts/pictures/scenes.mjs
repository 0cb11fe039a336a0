// What the pictures show: command lines that are run on a sandbox of their own.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

/**
 * A terminal in a folder of its own, with a sandbox.
 * @typedef {object} Scene
 * @property {{ url: string, tokens: Record<string, string> }} site
 * @property {string} cwd
 * @property {(name: string) => void} enter
 * @property {(line: string, env?: NodeJS.ProcessEnv) => Promise<void>} quietly
 * @property {(line: string, options?: StepOptions) => Promise<void>} step
 */
/** @typedef {{ answers?: [text: string, typed: string][], code?: number, more?: NodeJS.ProcessEnv }} StepOptions */

/**
 * Signs in without a picture, and lets git ask tongs.
 * @param {Pick<Scene, "quietly" | "site">} scene
 */
async function signIn({ quietly, site }, login = "mara") {
  await quietly(`tongs auth login --host ${site.url} --token-stdin <<< "$TOKEN"`, { TOKEN: site.tokens[login] });
  await quietly("tongs auth setup-git");
}

/** @type {Record<string, { title: string, prepare?(scene: Scene): Promise<void>, record(scene: Scene): Promise<void> }>} */
export const scenes = {
  "sign-in": {
    title:
      "tongs auth login asks for a token without showing it, and tongs with no arguments shows the account and what to do next",
    async record({ step, site }) {
      await step(`tongs auth login --host ${site.url}`, {
        answers: [
          // The second choice: a token.
          ["How would you like", "\u001b[B"],
          ["create one at", "\r"],
          ["Paste your access token", `${site.tokens["mara"]}\r`],
          ["Authenticate Git", "y\r"],
        ],
      });
      await step("tongs");
    },
  },
  "pull-request": {
    title: "A branch becomes a pull request, which is listed and merged by rebasing",
    async prepare({ quietly, enter, ...scene }) {
      await signIn({ quietly, ...scene });
      await quietly("tongs repo create tide-log --init");
      await quietly("tongs repo clone mara/tide-log");
      enter("tide-log");
      await quietly("git switch -q -c gauge && echo 'High water 06:12' > today.txt && git add today.txt");
      await quietly('git commit -q -m "Write down today\'s tides"');
    },
    async record({ step }) {
      await step("tongs pr create --fill --push");
      await step("tongs pr list");
      await step("tongs pr merge 1 --style rebase --dry-run");
      await step("tongs pr merge 1 --style rebase -d --yes");
      await step("tongs pr view 1 --jq '[.state, .merged_by.login]'");
    },
  },
  import: {
    title: "tongs user import shows what a file would create, then creates the accounts",
    async prepare(scene) {
      await signIn(scene, "harbormaster");
      const people = [
        "username,email,full_name",
        "ines,ines@example.org,Ines Prado",
        "yusuf,yusuf@example.org,Yusuf Demir",
      ];
      writeFileSync(
        join(scene.cwd, "people.csv"),
        `${[...people, "mara,mara@example.org,Mara Lindqvist"].join("\n")}\n`,
      );
    },
    async record({ step }) {
      await step("cat people.csv");
      const line = "tongs user import people.csv --on-existing update --generate-passwords new.csv";
      await step(`${line} --plan`);
      await step(line);
      // IDs depend on the order in which the requests arrive.
      await step("tongs user list --csv --json login,full_name,email");
    },
  },
  "run-why": {
    title: "tongs run why shows the failing steps of the newest run and their error lines",
    async prepare(scene) {
      await signIn(scene);
      // The runs started whole hours before the sandbox, to the second: soon it is as many hours everywhere.
      await setTimeout(1500);
    },
    async record({ step }) {
      await step("tongs run list -R mara/harbor");
      await step("tongs run why -R mara/harbor");
    },
  },
  plot: {
    title: "tongs metrics decode prints readings of a recording, and tongs metrics plot draws them",
    async prepare({ cwd, quietly }) {
      const lines = Array.from({ length: 288 }, (_, at) => {
        const load = 1.6 + Math.sin(at / 23) + 0.35 * Math.sin(at / 4.1);
        return `PUTVAL "pier/load/load" interval=300 ${1772409600 + at * 300}:${load.toFixed(3)}:${(load * 0.9).toFixed(3)}:${(load * 0.8).toFixed(3)}`;
      });
      writeFileSync(join(cwd, "load.txt"), `${lines.join("\n")}\n`);
      await quietly("tongs metrics encode load.txt -o readings.bin");
    },
    async record({ step }) {
      await step("tongs metrics decode readings.bin --format putval --count 2");
      await step("tongs metrics plot readings.bin --series '*/load/load'");
    },
  },
};
