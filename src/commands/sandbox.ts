import { defineCommand } from "../command/define.ts";
import { integer, text, toggle } from "../command/flags.ts";
import { Interruption } from "../command/interruption.ts";
import { boolean, type Infer, list, record, string } from "../forge/records/shape.ts";
import type { Sheet } from "../output/sheet.ts";

const sandboxUser = record({ login: string, password: string, token: string, is_admin: boolean });
const site = record({ url: string, users: list(sandboxUser) });

const usualPort = 3030;

/** `tongs sandbox`: a small forge inside the tool, until it is interrupted. */
export const sandbox = defineCommand({
  summary: "Run a small forge of your own, to try things on",
  details:
    "Real HTTP and real git repositories on this machine alone, with a demonstration project, people and tokens. " +
    "It answers as Gitea does. Without --dir everything is gone when it ends.",
  on: "nothing",
  effect: "read",
  flags: {
    port: integer(`the port to listen on; 0 picks a free one (${usualPort})`, { max: 65_535 }),
    dir: text("keep repositories and state in this folder, and go on from there", { placeholder: "DIR" }),
    empty: toggle("no demonstration project: only the administrator"),
  },
  output: site,
  exits: { failure: "the port is taken" },
  examples: [
    ["Try tongs without a server", "tongs sandbox"],
    ["In a script: the first line is the address and the tokens", "tongs sandbox --port 0 --json"],
  ],
  async run({ system, options, flags, out }) {
    // Listened to from the start: whoever reads the address may interrupt at once.
    const { signal } = system;
    const { startSandbox } = await import("../sandbox/serve.ts");
    const running = await startSandbox({
      port: flags.port ?? usualPort,
      dir: flags.dir,
      empty: flags.empty,
      now: system.now,
      env: system.env,
      log: options.debug ? (line) => system.stderr.write(`${line}\n`) : undefined,
    });
    try {
      const { url, users } = running;
      await out.record({ url, users }, sheet);
      out.note(`
In another terminal:
  export TONGS_HOST=${url} TONGS_TOKEN=${users.find((user) => !user.is_admin)?.token ?? users[0]?.token}
  tongs ${flags.empty ? "repo create NAME" : "pr list -R mara/harbor"}
Ctrl-C stops it.`);
      return await untilInterrupted(signal);
    } finally {
      await running.close();
    }
  },
});

function sheet({ url, users }: Infer<typeof site>): Sheet {
  const people = users.map(({ login, password, token, is_admin }): [string, string] => [
    login,
    `password ${password}, token ${token}${is_admin ? ", administrator" : ""}`,
  ]);
  return { title: "Sandbox", fields: [["url", url], ...people] };
}

/** Being interrupted is how it ends, so that is said by the exit code and not as an error. */
function untilInterrupted(signal: AbortSignal): Promise<"interrupted" | "terminated"> {
  return new Promise((resolve, reject) => {
    const end = () => {
      if (!(signal.reason instanceof Interruption)) reject(signal.reason);
      else resolve(signal.reason.signal === "SIGINT" ? "interrupted" : "terminated");
    };
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}
