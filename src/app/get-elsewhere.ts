import { Failure, UsageError } from "../failure/failure.ts";
import { outcomeOfStatus } from "../failure/statuses.ts";
import { readBody } from "../http/body.ts";
import { openTransport } from "../http/connect.ts";
import { proxyFor } from "../http/proxy-for.ts";
import type { WireRequest } from "../http/transport.ts";
import { version } from "../system/files.ts";
import type { System } from "../system/system.ts";
import { utf8Text } from "../text/utf8.ts";

/** The largest answer that is read, in bytes. */
const largest = 64 * 1024;

/**
 * What GET returns at an address that is not the server's. Redirects are not followed. Nothing is sent but the version of
 * tongs in the user agent. `limit` is the time for all of it in milliseconds; 0 is no limit. Throws a usage error for a tool,
 * which connects to the selected server only.
 */
export async function getElsewhere(address: URL, system: System, limit: number): Promise<string> {
  if (system.confine !== undefined)
    throw new UsageError(`Cannot connect to ${address.host}: tools connect to the selected server only`);
  const timeUp = limit === 0 ? new AbortController().signal : AbortSignal.timeout(limit);
  const request: WireRequest = {
    method: "GET",
    url: address,
    timeout: limit,
    signal: AbortSignal.any([system.signal, timeUp]),
    headers: { accept: "application/json", "accept-encoding": "gzip", "user-agent": `tongs/${version}` },
  };
  const transport = openTransport({ proxy: (url) => proxyFor(url, system.env) });
  try {
    const response = await transport.send(request);
    const { status } = response;
    if (status !== 200) {
      response.body.destroy();
      const where = status >= 300 && status < 400 ? `: redirects are not followed` : "";
      throw new Failure(outcomeOfStatus(status), `${address.host} returned ${status}${where}`, {
        status,
        method: "GET",
      });
    }
    return utf8Text(await readBody(response, request, largest));
  } catch (error) {
    if (system.signal.aborted) throw system.signal.reason;
    if (timeUp.aborted) {
      throw new Failure("timeout", `${address.host} did not respond within ${limit / 1000} s`);
    }
    throw error;
  } finally {
    transport.close();
  }
}
