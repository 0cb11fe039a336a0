import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";

/** Networks that servers migrate nothing from unless they are told to. */
const privateNetworks = new BlockList();
for (const [network, prefix] of [
  ["127.0.0.0", 8],
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["169.254.0.0", 16],
] as const)
  privateNetworks.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of [
  ["::1", 128],
  ["fc00::", 7],
  ["fe80::", 10],
] as const)
  privateNetworks.addSubnet(network, prefix, "ipv6");

/** Whether the host of an address is in a private network, or its name leads to one from here. */
export async function isPrivateAddress(address: string): Promise<boolean> {
  const host = new URL(address).hostname.replace(/^\[|\]$/g, "");
  const found = isIP(host) > 0 ? [host] : (await lookup(host, { all: true }).catch(() => [])).map((one) => one.address);
  return found.some((one) => privateNetworks.check(one, isIP(one) === 6 ? "ipv6" : "ipv4"));
}
