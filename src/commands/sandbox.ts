import { defineCommand } from "../app/define.ts";
import { integer, seconds, text, texts, toggle } from "../command/flags.ts";
import { Interruption } from "../failure/interruption.ts";
import type { Sheet } from "../output/sheet.ts";
import { boolean, type Infer, list, record, string } from "../shape/shape.ts";

const sandboxUser = record({ login: string, password: string, token: string, is_admin: boolean });
const site = record({ url: string, users: list(sandboxUser) });

const usualPort = 3030;

/** `tongs sandbox`: a small forge inside the tool, until it is interrupted. */
export const sandbox = defineCommand({
  summary: "Run a small forge of your own, to try things on",
  details:
    "Real HTTP and real git repositories on this machine alone, with a demonstration project, people and tokens. " +
    "It answers as Gitea does. Without --dir everything is gone when it ends.\n\n" +
    "Workflows of .gitea/workflows run on a push, a pull request or by hand, and nothing is executed: their echo, printf, " +
    "sleep, exit and upload-artifact are played, one step a second, and seen by run, workflow, artifact and pr checks. " +
    "What the web pages of the servers do is a POST to a run's page, with a token: …/actions/runs/ID/cancel and /approve. " +
    "A zip file of your own becomes an artifact by POST /sandbox/repos/OWNER/NAME/actions/runs/ID/artifacts?name=NAME.\n\n" +
    "--fault spoils answers: [METHOD] PATH FAULT [xTIMES], where * in PATH stands for anything and FAULT is status=CODE, " +
    "delay=SECONDS, cut=BYTES (the connection breaks after so many bytes of the body) or whole (a range is not heeded). " +
    "What a request does is done all the same.",
  on: "nothing",
  effect: "read",
  flags: {
    port: integer(`the port to listen on; 0 picks a free one (${usualPort})`, { max: 65_535 }),
    dir: text("keep repositories and state in this folder, and go on from there", { placeholder: "DIR" }),
    empty: toggle("no demonstration project: only the administrator"),
    fault: texts("what goes wrong on purpose (may be given again)", { placeholder: "RULE" }),
    signedFor: seconds("how long the address of a download holds (3600)"),
  },
  output: site,
  exits: { failure: "the port is taken" },
  examples: [
    ["Try tongs without a server", "tongs sandbox"],
    ["In a script: the first line is the address and the tokens", "tongs sandbox --port 0 --json"],
    ["The first download breaks off, to see it resumed", "tongs sandbox --fault 'GET *zip/raw cut=100 x1'"],
  ],
  async run({ system, options, flags, out }) {
    // Listened to from the start: whoever reads the address may interrupt at once.
    const { signal } = system;
    const [{ startSandbox }, { parseFaults }] = await Promise.all([
      import("../sandbox/serve.ts"),
      import("../sandbox/http/faults.ts"),
    ]);
    const running = await startSandbox({
      port: flags.port ?? usualPort,
      dir: flags.dir,
      empty: flags.empty,
      now: system.now,
      env: system.env,
      fault: parseFaults(flags.fault),
      delays: flags.signedFor === undefined ? {} : { signedFor: flags.signedFor * 1000 },
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
