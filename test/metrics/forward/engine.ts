import http, { type IncomingHttpHeaders } from "node:http";
import https, { type ServerOptions } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { type ForwardFormat, forwardFormats } from "../../../src/metrics/forward/formats.ts";
import { type Sample, samplesIn } from "./decoded.ts";

/** A request that an engine got, decoded. */
export interface Written {
  readonly headers: IncomingHttpHeaders;
  readonly path: string;
  readonly size: number;
  readonly samples: readonly Sample[];
}

/** An answer; `cut` closes the connection instead, `nothing` leaves it open, and `drips` takes it, and sends bytes for ever. */
export interface EngineAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** An engine on loopback that decodes what it gets, and answers as the test says: 204 by default. */
export interface FakeEngine {
  /** Its address for a format. */
  readonly url: (format: ForwardFormat) => string;
  readonly port: number;
  readonly requests: Written[];
  /** What it took: the samples of requests that were answered with 2xx. */
  readonly taken: Sample[];
  readonly close: () => Promise<void>;
}

type Given = EngineAnswer | "cut" | "nothing" | "drips" | undefined;
type Answering = (written: Written) => Given | Promise<Given>;

/** Starts an engine; `/FORMAT` takes that format. */
export async function startEngine(
  answer: Answering = () => undefined,
  { port = 0, tls }: { readonly port?: number; readonly tls?: ServerOptions } = {},
): Promise<FakeEngine> {
  const requests: Written[] = [];
  const taken: Sample[] = [];
  const sockets = new Set<Socket>();
  const onRequest: http.RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const body = Buffer.concat(chunks);
      const path = request.url ?? "";
      const format = forwardFormats.find((one) => path.startsWith(`/${one}`)) ?? "influx";
      const written = { headers: request.headers, path, size: body.length, samples: samplesIn(format, body) };
      requests.push(written);
      const given = (await answer(written)) ?? {};
      if (given === "nothing") return;
      if (given === "drips") {
        response.writeHead(200);
        const timer = setInterval(() => response.write("x"), 50);
        response.once("close", () => clearInterval(timer));
        return;
      }
      if (given === "cut") {
        request.socket.destroy();
        return;
      }
      const { status = 204, headers = {}, body: said } = given;
      if (status < 300) taken.push(...written.samples);
      response.writeHead(status, headers).end(said);
    });
  };
  const server = tls === undefined ? http.createServer(onRequest) : https.createServer(tls, onRequest);
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const { port: listens } = server.address() as AddressInfo;
  const scheme = tls === undefined ? "http" : "https";
  return {
    url: (format) => `${scheme}://127.0.0.1:${listens}/${format}`,
    port: listens,
    requests,
    taken,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
