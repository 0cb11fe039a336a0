import valid from "semver/functions/valid.js";
import { Failure, UsageError } from "../failure/failure.ts";
import { readSetting, settings } from "../profiles/settings-keys.ts";
import { mismatch } from "../shape/mismatch.ts";
import { record, string } from "../shape/shape.ts";
import type { System } from "../system/system.ts";
import { getElsewhere } from "./get-elsewhere.ts";

/** The newest version of tongs, and where to get it. */
export interface Latest {
  readonly version: string;
  readonly url: string;
}

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
 * http(s) address; other fields are ignored. `limit` is the time for all of it in milliseconds; 0 is no limit. Throws a
 * `Failure` if there is no such answer.
 */
export async function latestVersion(address: URL, system: System, limit: number): Promise<Latest> {
  return latestIn(await getElsewhere(address, system, limit), address);
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
