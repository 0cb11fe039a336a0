import valid from "semver/functions/valid.js";
import { Failure, UsageError } from "../failure/failure.ts";
import { outcomeOfStatus } from "../failure/statuses.ts";
import { readBody } from "../http/body.ts";
import { openTransport } from "../http/connect.ts";
import { proxyFor } from "../http/proxy-for.ts";
import type { WireRequest } from "../http/transport.ts";
import { readSetting, settings } from "../profiles/settings-keys.ts";
import { mismatch } from "../shape/mismatch.ts";
import { record, string } from "../shape/shape.ts";
import { version } from "../system/files.ts";
import type { System } from "../system/system.ts";

/** The newest version of tongs, and where to get it. */
export interface Latest {
  readonly version: string;
  readonly url: string;
}

/** The largest answer that is read, in bytes. */
const largest = 64 * 1024;

const answer = record({ version: string, url: string });

/**
 * The address that knows the newest version: `TONGS_UPDATE_URL`, or the setting `update_url`; undefined if there is none,
 * as by default. Throws if it is not an address to send a request to.
 */
export function updateAddress(system: Pick<System, "env" | "platform">): URL | undefined {
  const fromEnv = system.env["TONGS_UPDATE_URL"] || undefined;
  const problem = fromEnv === undefined ? undefined : settings.update_url.problem(fromEnv);
  if (problem !== undefined) throw new UsageError(`TONGS_UPDATE_URL ${problem}`);
  const address = fromEnv ?? readSetting(system, "update_url");
  return address === undefined ? undefined : new URL(address);
}

/**
 * Asks an address for the newest version: GET, answered with a JSON object that has `version` (`1.2.3`) and `url`, an
 * http(s) address; other fields are ignored. Redirects are not followed. Nothing is sent but the version of tongs in the
 * user agent. `limit` is the time for all of it in milliseconds; 0 is no limit. Throws a `Failure` if there is no such
 * answer.
 */
export async function latestVersion(address: URL, system: System, limit: number): Promise<Latest> {
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
    return latestIn((await readBody(response, request, largest)).toString("utf8"), address);
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

function latestIn(text: string, { host }: URL): Latest {
  const broken = (why: string) =>
    new Failure("broken_answer", `The response of ${host} is not valid: ${why}`, {
      hint: 'It must be a JSON object such as {"version":"1.2.3","url":"https://…"}.',
    });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw broken("it is not JSON");
  }
  const wrong = mismatch(answer, value);
  if (wrong !== undefined) throw broken(`it is not ${wrong}`);
  const latest = value as Latest;
  if (valid(latest.version) === null) throw broken("'version' is not a version");
  if (latest.url.length > 500 || !/^https?:\/\/\S+$/.test(latest.url) || !URL.canParse(latest.url))
    throw broken("'url' is not an http or https address");
  return { version: latest.version.replace(/^v/, ""), url: latest.url };
}
