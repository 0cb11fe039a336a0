import { UsageError } from "../failure/failure.ts";

/** Headers that tongs and Node set, or that belong to the connection. */
const reserved =
  /^(authorization|sudo|host|content-.*|connection|expect|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|accept.*|range)$/i;

/**
 * Parses the `headers` of a profile: `NAME=VARIABLE` pairs separated by commas, where the variable holds the value of the
 * header. Throws a usage error if a pair is not valid.
 */
export function readHeaders(typed: string): Record<string, string> {
  const pairs = typed.split(",").map((pair) => pair.trim());
  const entries = pairs
    .filter((pair) => pair !== "")
    .map((pair): [string, string] => {
      const [, name = "", variable = ""] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)=([A-Za-z_][A-Za-z0-9_]*)$/.exec(pair) ?? [];
      if (name === "") {
        const hint = "Use NAME=VARIABLE, separated by commas; the environment variable holds the value.";
        // The pair may have the value itself, which is a secret.
        throw new UsageError("headers must be pairs of a header and an environment variable", hint);
      }
      refuseReserved(name);
      return [name, variable];
    });
  return Object.fromEntries(entries);
}

function refuseReserved(name: string): void {
  if (reserved.test(name)) throw new UsageError(`headers cannot set ${name}, which tongs sets itself`);
}

/**
 * The headers of a profile with their values from the environment, by lower-case name. Throws a usage error if a variable is
 * not set, or its value cannot be sent; the error does not contain the value.
 */
export function headerValues(
  headers: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string | undefined>>,
  profile: string,
): Record<string, string> {
  const entries = Object.entries(headers).map(([name, variable]): [string, string] => {
    refuseReserved(name);
    const value = env[variable] ?? "";
    if (value === "") {
      const hint = `Set ${variable}, or change the headers: tongs profile set ${profile} headers NAME=VARIABLE`;
      throw new UsageError(`${variable} is not set; profile '${profile}' needs it for the header ${name}`, hint);
    }
    if (!/^[\x20-\x7e]+$/.test(value)) {
      throw new UsageError(
        `The value of ${variable} cannot be sent as the header ${name}: it is not one line of ASCII`,
      );
    }
    return [name.toLowerCase(), value];
  });
  return Object.fromEntries(entries);
}

/** The headers of a profile as they are typed. */
export function headersText(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map((pair) => pair.join("="))
    .join(",");
}
