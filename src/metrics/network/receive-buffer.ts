import { sizeText } from "../../text/format.ts";

/** The size of the receive buffer to ask the system for, for bursts of a fleet that reports at the same second. */
export const receiveBuffer = 32 * 1024 * 1024;

const limits: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  linux: "net.core.rmem_max",
  darwin: "kern.ipc.maxsockbuf",
  freebsd: "kern.ipc.maxsockbuf",
};

/** Whether the system grants less than it was asked for. Linux grants twice that, for what it needs besides the packets. */
export function isCut(granted: number, platform: NodeJS.Platform): boolean {
  return granted < receiveBuffer * (platform === "linux" ? 2 : 1);
}

/** How large the receive buffer is, and what to do if a limit of the system cut it. */
export function bufferText(granted: number, platform: NodeJS.Platform): string {
  const text = `the receive buffer of the system has ${sizeText(granted)}`;
  const limit = limits[platform];
  if (limit === undefined || !isCut(granted, platform)) return text;
  return `${text}; for bursts of a fleet, allow more as root: sysctl -w ${limit}=${receiveBuffer}`;
}
