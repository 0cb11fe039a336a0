import { connect } from "node:net";

/** Sends a request as it is, which no client would, and returns the status of the answer. */
export async function rawStatus(port: number, head: string, host: string, body: string | Buffer = ""): Promise<number> {
  const socket = connect(port, "127.0.0.1");
  socket.write(`${head}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  socket.write(body);
  let text = "";
  for await (const piece of socket) text += piece;
  return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
}
