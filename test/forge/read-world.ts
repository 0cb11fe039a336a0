import { rmSync } from "node:fs";
import { join } from "node:path";
import type { CommandSpec } from "../../src/command/spec.ts";
import { allCommands } from "../../src/command/write-help.ts";
import { table } from "../../src/commands/index.ts";
import { exitCodes } from "../../src/failure/exit-codes.ts";
import { testSandbox } from "../sandbox/with-sandbox.ts";
import { cassette } from "../support/cassette.ts";
import { type MutatingServer, type Mutation, mutatingServer, withoutRepeats } from "../support/mutating-server.ts";
import { isRecorded, type ReadLine, readLines } from "../support/read-lines.ts";
import { emptyFolder, type Ran, tongs } from "../support/tongs.ts";

/** A command that reads, as it is typed. */
export interface ReadCommand {
  readonly line: readonly string[];
  /** Its name: `pr view`. */
  readonly name: string;
  readonly command: CommandSpec;
  readonly from: ReadLine;
}

const commands = (await allCommands(table)).filter(
  ({ words, command }) =>
    command.effect === "read" && (command.on === "repository" || command.on === "server") && words[0] !== "metrics",
);

/** Each command of the table that reads from a server, with its lines; new ones join by themselves. */
export const readCommands: readonly ReadCommand[] = commands.flatMap(({ words, command }) => {
  const name = words.join(" ");
  return (readLines[name] ?? [[]]).map((from) => {
    const line = [...words, ...(isRecorded(from) ? from.line : from)];
    return { line, name, command, from };
  });
});

/** A sandbox with a record of each kind, and the cassettes, behind servers that change their answers. */
export interface ReadWorld {
  /** The server that a command reads from. */
  serverOf(command: ReadCommand): MutatingServer;
  /** Runs a command; one that polls without end is interrupted. */
  run(command: ReadCommand): Promise<Ran>;
}

/** Starts the sandbox and the server in front of it. */
export async function readWorld(): Promise<ReadWorld> {
  const cwd = emptyFolder();
  const sandbox = await testSandbox();
  const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHM2nKve4IQ7qf0XUWmvoGYst7326zkdXaqJr6tjbpJQ mara";
  await sandbox.ask("POST", "/admin/users/mara/keys", "harbormaster", { title: "laptop", key });
  await sandbox.ask("POST", "/user/keys", "harbormaster", { title: "desk", key: key.replace("AAAAIHM2", "AAAAIHM3") });
  const password = sandbox.users.find(({ login }) => login === "harbormaster")?.password ?? "";
  await sandbox.ask("PUT", "/user/starred/mara/harbor", "harbormaster");
  await sandbox.ask("PUT", "/user/following/mara", "harbormaster");
  await sandbox.ask("PUT", "/user/following/harbormaster", "mara");
  await sandbox.ask("POST", "/repos/mara/harbor/pulls/2/reviews", "harbormaster", {
    event: "COMMENT",
    body: "Neat",
    comments: [{ path: "units.md", new_position: 1, body: "Which lamp?" }],
  });
  const issue = {
    title: "The lamp is dark",
    body: "@harbormaster",
    labels: [1],
    assignees: ["harbormaster"],
    milestone: 1,
  };
  await sandbox.ask("POST", "/repos/mara/harbor/issues", "harbormaster", issue);
  await sandbox.ask("POST", "/repos/mara/harbor/issues/8/comments", "harbormaster", { body: "Since nine." });
  const config = { url: "http://127.0.0.1:9/", content_type: "json" };
  await sandbox.ask("POST", "/repos/mara/harbor/hooks", "mara", { type: "gitea", config, events: ["push"] });
  await sandbox.ask("POST", "/orgs", "harbormaster", { username: "tidewater" });
  const team = { name: "pilots", permission: "write", units: ["repo.code"] };
  await sandbox.ask("POST", "/orgs/tidewater/teams", "harbormaster", team);
  await sandbox.ask("POST", "/orgs/tidewater/repos", "harbormaster", { name: "charts", auto_init: true });
  await sandbox.ask("PUT", "/repos/tidewater/charts/teams/pilots", "harbormaster");
  await sandbox.ask("PUT", "/orgs/tidewater/public_members/harbormaster", "harbormaster");
  await sandbox.ask("PUT", "/repos/mara/harbor/collaborators/harbormaster", "mara", { permission: "read" });
  await sandbox.ask("PUT", "/repos/mara/harbor/topics/tides", "mara");
  const draft = { tag_name: "v1.0", name: "First light", body: "All lamps lit" };
  const release = await sandbox.ask("POST", "/repos/mara/harbor/releases", "mara", draft);
  const { id } = release.body as { readonly id: number };
  await sandbox.ask("POST", `/repos/mara/harbor/releases/${id}/assets?name=list.txt`, "mara", "lamp");
  const rule = { rule_name: "release/**", required_approvals: 1, push_whitelist_usernames: ["mara"] };
  await sandbox.ask("POST", "/repos/mara/harbor/branch_protections", "mara", rule);
  const pattern = { name_pattern: "v*", whitelist_usernames: ["mara"] };
  await sandbox.ask("POST", "/repos/mara/harbor/tag_protections", "mara", pattern);
  const server = await mutatingServer(sandbox.url, withoutRepeats);
  await sandbox.ask("POST", "/repos/mara/harbor/actions/variables/TIDE_TABLE", "mara", { value: "june" });
  await sandbox.ask("PUT", "/repos/mara/harbor/actions/secrets/LAMP_KEY", "mara", { data: "not-a-secret" });
  // Here and not when first asked: what a test starts ends with it.
  const recorded = new Set(readCommands.flatMap(({ from }) => (isRecorded(from) ? from.cassette : [])));
  const players = await Promise.all(
    [...recorded].map(async (name) => {
      const player = await cassette(name, undefined, { repeat: true });
      return { name, player, server: await mutatingServer(player.url) };
    }),
  );
  const servers = new Map(players.map((one) => [one.name, one.server]));
  const serverOf = ({ from }: ReadCommand) => (isRecorded(from) && servers.get(from.cassette)) || server;

  return {
    serverOf,
    async run(command) {
      const { url } = serverOf(command);
      const repo = (isRecorded(command.from) ? command.from.repo : undefined) ?? "mara/harbor";
      // Otherwise the description of the server would be read once.
      if (command.name.startsWith("operation")) rmSync(join(cwd, ".cache"), { recursive: true, force: true });
      const interruption = new AbortController();
      let waits = 0;
      return tongs(command.line, {
        cwd,
        signal: interruption.signal,
        stdin: command.line.includes("--password-stdin") ? password : "",
        onSleep() {
          waits += 1;
          if (waits > 100) interruption.abort(new Error("polls without end"));
        },
        env: { TONGS_HOST: url, TONGS_TOKEN: sandbox.token("harbormaster"), TONGS_REPO: repo },
      });
    },
  };
}

/** What is wrong with how a run ended. */
export function faults({ code, stdout, stderr }: Ran, { exits = {} }: CommandSpec, mutation?: Mutation): string[] {
  const documented = Object.keys(exits).map((name) => exitCodes[name as keyof typeof exitCodes].code);
  // Another number is another record, which need not exist; no record has a negative one.
  const allowed = [
    0,
    ...documented,
    ...(mutation === undefined ? [] : [7, 11]),
    ...(mutation?.sameType ? [5, 13] : []),
  ];
  const text = `${stdout}\n${stderr}`;
  return [
    ...(allowed.includes(code) ? [] : [`exit ${code} ${stderr.slice(0, 300)}`]),
    ...["bug in tongs", "Unexpected:", "\n    at "].filter((words) => stderr.includes(words)).map(() => stderr),
    ...["undefined", "NaN", "[object Object]"]
      .filter((word) => text.includes(word))
      .map((word) => `${word} in ${text}`),
  ];
}
