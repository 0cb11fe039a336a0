import { defineCommand } from "../../app/define.ts";
import { integer, names, text, toggle } from "../../command/flags.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { Interruption } from "../../failure/interruption.ts";
import { openTransport } from "../../http/connect.ts";
import { proxyFor } from "../../http/proxy-for.ts";
import type { System } from "../../system/system.ts";
import { jsonText } from "../../text/json.ts";
import { type Delivery, delivery, listenForDeliveries, type RawDelivery } from "./receive.ts";

const defaultPort = 3001;
/** How long the receiver of --forward may take, in milliseconds. */
const forwardTimeout = 30_000;
/** How much is kept for GET requests, in bytes of the bodies; one delivery is always kept. */
const maxKept = 32 * 1024 * 1024;

/** `tongs hook listen`: a local receiver of webhooks, for those who write one. */
export const listen = defineCommand({
  summary: "Receive webhook deliveries on this machine",
  details:
    "Listens on loopback until interrupted and prints each delivery as one JSON line with event, action, repository " +
    "and body. With --secret-env, deliveries with a missing or wrong signature are refused with 401. Requests of web " +
    "pages are refused, and without --secret-env also requests to a host that is neither an address nor a name of this " +
    "machine. --forward sends each delivery on, unchanged, and returns the status of the response. GET requests from " +
    "this machine return the last deliveries. To receive from another machine, run a tunnel in front of it, and pass " +
    "its host to --allow-host.",
  on: "nothing",
  effect: "read",
  asTool: "none",
  flags: {
    port: integer(`port to listen on; 0 picks a free port (default: ${defaultPort})`, { max: 65_535 }),
    secretEnv: text("environment variable with the secret of the webhook", { names: "password", placeholder: "NAME" }),
    allowHost: names("without a secret, also accept requests to this host", { placeholder: "HOST" }),
    forward: text("send each delivery on to this URL", { names: "address", placeholder: "URL" }),
    event: names("only these events", { placeholder: "EVENT" }),
    keep: integer("number of deliveries to keep for GET requests (default: 20)", { max: 1000 }),
    once: toggle("exit after the first delivery"),
  },
  output: delivery,
  exits: { failure: "with --once: the receiver of --forward did not accept the delivery" },
  examples: [
    ["Print what a webhook delivers", "tongs hook listen --port 3001 --secret-env HOOK_SECRET"],
    ["Wait for one push, and forward it", "tongs hook listen --once --event push --forward http://127.0.0.1:8080/hook"],
  ],
  async run({ system, flags, out, options }) {
    const { signal } = system;
    const secret = secretOf(flags.secretEnv, system);
    const forward = forwarder(flags.forward, system, options.timeout);
    const keep = flags.keep ?? 20;
    const kept: { readonly delivery: Delivery; readonly size: number }[] = [];
    let finish = (_status: number): void => undefined;
    let stop = (): void => undefined;
    /** Resolves with --once, and rejects on Ctrl-C. */
    const ended = new Promise<number>((resolve, reject) => {
      finish = resolve;
      stop = () => reject(signal.reason);
    });
    ended.catch(() => undefined);
    let isDone = false;
    const receiver = await listenForDeliveries({
      port: flags.port ?? defaultPort,
      secret,
      allowedHosts: flags.allowHost,
      now: system.now,
      kept: () => kept.map(({ delivery }) => delivery),
      // Notes, because equal warnings are printed once.
      onRefused: (reason) => out.note(`Refused a delivery: ${reason}`),
      wants: ({ event, type }) => flags.event.length === 0 || flags.event.includes(event) || flags.event.includes(type),
      async take(found, raw) {
        if (isDone) return 503;
        isDone = flags.once;
        const forwarded = await forward?.send(raw, out.note);
        const whole: Delivery = { ...found, forwarded: forwarded ?? null };
        kept.push({ delivery: whole, size: raw.bytes.length });
        while (kept.length > keep || (kept.length > 1 && sizeOf(kept) > maxKept)) kept.shift();
        if (out.records) await out.record(whole, () => ({ fields: [] }));
        else await out.raw(`${jsonText(whole)}\n`);
        const status = forwarded ?? 200;
        if (flags.once) finish(status);
        return status;
      },
    });
    out.note(`Listening on http://127.0.0.1:${receiver.port}`);
    if (secret === undefined) out.note("Signatures are not checked. Pass --secret-env NAME to check them.");
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    try {
      return (await ended) < 300 ? "ok" : "failure";
    } catch (error) {
      if (!(error instanceof Interruption)) throw error;
      return error.signal === "SIGINT" ? "interrupted" : "terminated";
    } finally {
      signal.removeEventListener("abort", stop);
      await receiver.close();
      forward?.close();
    }
  },
});

function sizeOf(kept: readonly { readonly size: number }[]): number {
  return kept.reduce((total, { size }) => total + size, 0);
}

function secretOf(name: string | undefined, { env }: System): string | undefined {
  if (name === undefined) return undefined;
  const secret = env[name];
  if (secret === undefined || secret === "") throw new UsageError(`--secret-env: ${name} is not set`);
  return secret;
}

/** Sends deliveries on, as they arrived; undefined without a URL. */
function forwarder(typed: string | undefined, system: System, timeout: number | undefined) {
  if (typed === undefined) return undefined;
  if (!/^https?:\/\//i.test(typed) || !URL.canParse(typed))
    throw new UsageError("--forward must be an http or https URL");
  const url = new URL(typed);
  const transport = openTransport({ proxy: (target) => proxyFor(target, system.env, undefined) });
  return {
    close: () => transport.close(),
    /** The status of the answer; 502 if there is none. */
    async send({ headers, bytes }: RawDelivery, note: (note: string) => void): Promise<number> {
      const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
        /^(x-|content-type$|user-agent$|authorization$)/.test(name) && typeof value === "string" ? [[name, value]] : [],
      );
      try {
        const { status, body } = await transport.send({
          method: "POST",
          url,
          body: bytes,
          headers: Object.fromEntries(kept),
          signal: system.signal,
          timeout: timeout === undefined ? forwardTimeout : timeout * 1000,
        });
        body.destroy();
        return status;
      } catch (error) {
        if (system.signal.aborted || !(error instanceof Failure)) throw error;
        note(`Could not forward the delivery: ${error.message}`);
        return 502;
      }
    },
  };
}
