import { createServer } from "node:net";
import { createInterface } from "node:readline";

/** The answers to the commands of collectd's unixsock plugin. */
export type Answers = Readonly<Record<string, readonly string[]>>;

/** One value. */
export const oneValue: Answers = {
  LISTVAL: ["1 Value found", "1795684096.020 edge-02.example.net/users/users"],
  'GETVAL "edge-02.example.net/users/users"': ["1 Value found", "value=3.000000e+00"],
};

/**
 * A socket at a path that answers each line as collectd's unixsock plugin does, or with a text for all, after which it ends.
 * Adds the lines to `asked`. Returns what closes it.
 */
export async function startUnixsock(
  path: string,
  answers: Answers | string,
  asked: string[] = [],
): Promise<() => Promise<void>> {
  const server = createServer((socket) => {
    createInterface({ input: socket }).on("line", (line) => {
      asked.push(line);
      if (typeof answers === "string") socket.end(answers);
      else socket.write(`${(answers[line] ?? ["-1 Unknown command"]).join("\n")}\n`);
    });
    socket.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return () => new Promise((resolve) => server.close(() => resolve()));
}
