import { Failure } from "../failure/failure.ts";
import { type Address, addressText } from "./address.ts";

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use",
  EACCES: "permission denied",
  EADDRNOTAVAIL: "not an address of this machine",
  EINVAL: "not an address of this machine",
  ENODEV: "no network interface for it",
  ENOTFOUND: "no such host",
};

/** The failure of a server that cannot listen. */
export function cannotListen(address: Address, error: NodeJS.ErrnoException): Failure {
  const { code = "unknown error" } = error;
  return new Failure("cannot_listen", "failure", `Cannot listen on ${addressText(address)}: ${reasons[code] ?? code}`);
}
