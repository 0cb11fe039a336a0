import { readFileSync } from "node:fs";
import { join } from "node:path";

// What several preparations share: command lines, and contents of files, as latin1.

const data = (name: string) => readFileSync(join(import.meta.dirname, "../data", name), "latin1");

/** A line several times, with the number of each in place of `%`. */
export const times = (count: number, line: string) =>
  Array.from({ length: count }, (_, at) => line.replaceAll("%", `${at + 1}`));

/** Issues of mara/harbor up to a number; the demo project has 7 pull requests. */
export const issues = (upTo: number) => times(upTo - 7, "tongs issue create --title Fog --body Thick");

export const labels = ["tongs label create docs --color 00ff00", "tongs label create stale --color aaaaaa"];

/** A file of 14 lines. */
export const file = (path: string, ...flags: string[]) =>
  `seq 14 | tongs file put ${path} - -m "Add ${path}" ${flags.join(" ")}`;

/** A clone of mara/harbor in the current directory, beside the files that are there. */
export const clone = (branch: string) => [
  "tongs repo clone mara/harbor clone && mv clone/.git . && rm -r clone",
  `git checkout --quiet --force ${branch}`,
];

export const tidewater = [
  "tongs org create tidewater",
  "tongs repo create charts --org tidewater --init",
  "tongs repo create tides --org tidewater --init",
  "tongs team create tidewater/pilots --permission write --units code",
];

export const certificate = data("tls/ca.pem");
export const policy = data("policy.yml");
export const tls = (name: string) => data(`tls/${name}`);
export const readings = data("metrics/collectd-5.12.delimited.bin");

/** What rrdtool dump prints. */
export const rrdDump = data("metrics/rrdtool-1.7.2.dump.xml");

/** A public key as ssh-keygen writes it. */
export function publicKey(name: string): string {
  const blob = Buffer.concat([
    ...[Buffer.from([0, 0, 0, 11]), Buffer.from("ssh-ed25519")],
    ...[Buffer.from([0, 0, 0, 32]), Buffer.from(name.padEnd(32, "-"))],
  ]);
  return `ssh-ed25519 ${blob.toString("base64")} ${name}\n`;
}

/** A picture of one pixel. */
export const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
).toString("latin1");

/** A workflow that runs by hand. */
export function workflow(name: string, input = ""): string {
  const inputs = input === "" ? "" : `    inputs:\n      ${input}: {}\n`;
  const job = "  build:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo built\n";
  return `name: ${name}\non:\n  workflow_dispatch:\n${inputs}jobs:\n${job}`;
}
