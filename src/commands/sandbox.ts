import { defineCommand } from "../app/define.ts";
import { integer, seconds, text, texts, toggle } from "../command/flags.ts";
import { Interruption } from "../failure/interruption.ts";
import type { Sheet } from "../output/sheet.ts";
import { boolean, type Infer, list, record, string } from "../shape/shape.ts";

const sandboxUser = record({ login: string, password: string, token: string, is_admin: boolean });
const site = record({ url: string, users: list(sandboxUser) });

const defaultPort = 3030;

/** `tongs sandbox`: runs the sandbox server until it is interrupted. */
export const sandbox = defineCommand({
  summary: "Run a local server to try out tongs",
  details:
    "The sandbox serves the API of Gitea or Forgejo and git repositories over HTTP on this machine, with a demo project, " +
    "users and tokens. It has the operations and fields of the newest release that was recorded, or of the one after @; as " +
    "forgejo@99 or gitea@99, those of the newest known release and more, with fields and words that tongs does not know. Without " +
    "--dir, all data is deleted when it stops. With --dir, the state is written every 30 seconds and when the sandbox stops, " +
    "so that kill -9 can lose the last 30 seconds.\n\n" +
    "Workflows in .gitea/workflows run on a push, on a pull request or by tongs workflow run. Nothing is executed: echo, " +
    "printf, sleep, exit and upload-artifact are simulated, one step per second. To cancel or approve a run, send a POST " +
    "with a token to its page: …/actions/runs/ID/cancel or /approve. To add a zip file as an artifact, send it to POST " +
    "/sandbox/repos/OWNER/NAME/actions/runs/ID/artifacts?name=NAME.\n\n" +
    "--fault injects faults into responses: [METHOD] PATH FAULT [xTIMES]. In PATH, * matches anything. FAULT is " +
    "status=CODE, delay=SECONDS or cut=BYTES (close the connection after this many bytes of the body). The request itself " +
    "takes effect.",
  on: "nothing",
  effect: "read",
  asTool: "none",
  flags: {
    port: integer(`port to listen on; 0 picks a free port (default: ${defaultPort})`, { max: 65_535 }),
    dir: text("store repositories and state in this directory, and reuse them", {
      names: "output file",
      placeholder: "DIR",
    }),
    as: text("server to behave like (default: gitea): gitea, forgejo or a release, such as forgejo@11", {
      placeholder: "SERVER",
    }),
    empty: toggle("create only an administrator, no demo project"),
    fault: texts("inject a fault (can be repeated)", { placeholder: "RULE" }),
    signedFor: seconds("how long the URL of a download is valid, in seconds (default: 3600)"),
  },
  output: site,
  exits: { failure: "the port is in use" },
  examples: [
    ["Try tongs without a server", "tongs sandbox"],
    ["Try tongs with Forgejo", "tongs sandbox --as forgejo"],
    ["Print the address and the tokens as JSON", "tongs sandbox --port 0 --json"],
    ["Interrupt the first download, to see it resumed", "tongs sandbox --fault 'GET *zip/raw cut=100 x1'"],
  ],
  async run({ system, options, flags, out }) {
    // Listens before the address is printed: a script may interrupt at once.
    const { signal } = system;
    const [{ startSandbox }, { parseFaults }, { parseRelease }] = await Promise.all([
      import("../sandbox/serve.ts"),
      import("../sandbox/http/faults.ts"),
      import("../sandbox/release.ts"),
    ]);
    const running = await startSandbox({
      port: flags.port ?? defaultPort,
      dir: flags.dir,
      empty: flags.empty,
      release: flags.as === undefined ? undefined : parseRelease(flags.as),
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
Press Ctrl-C to stop.`);
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

/** The sandbox is stopped by an interruption: it is reported by the exit code, not as an error. */
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
