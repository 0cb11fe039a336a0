import { closeSync, fstatSync, openSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { recordSession } from "../../../src/commands/metrics/record.ts";
import { createPacketReader } from "../../../src/metrics/network/packet.ts";
import { delimitedMessages } from "../../metrics/data.ts";
import { capturedPackets, openRules } from "../../metrics/packets.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { fileBytes } from "./bytes.ts";

it("writes what comes while it ends, and leaves alone the file that gets the number of its own", async () => {
  const cwd = emptyFolder();
  const abort = new AbortController();
  const context = {
    system: { cwd, env: {}, now: () => new Date(), signal: abort.signal, stdout: {}, stderr: {} },
    options: { quiet: true },
    out: { note: () => {}, warn: () => {} },
    flags: { to: "r.bin", utc: false, allowHost: [] },
  } as unknown as Parameters<typeof recordSession>[0];
  const reader = createPacketReader(openRules);
  const ended = recordSession(context, { answers: false }, async ({ take }) => ({
    close: async () => {
      for (const packet of capturedPackets().plain) reader.read(packet, (...message) => take(...message) === undefined);
    },
  }));
  abort.abort();
  await ended;
  expect(delimitedMessages(fileBytes(cwd, "r.bin"))).not.toHaveLength(0);
  const other = openSync(join(cwd, "other"), "w");
  await setImmediate();
  await setImmediate();
  expect(fstatSync(other).size).toBe(0);
  closeSync(other);
});
