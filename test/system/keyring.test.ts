import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { openKeyring } from "../../src/system/keyring.ts";
import { emptyFolder } from "../support/tongs.ts";

let bus: Server | undefined;
afterEach(() => bus?.close());

/** The environment of a session whose bus accepts connections and never answers. */
function silentBus() {
  const path = join(emptyFolder(), "bus");
  bus = createServer().listen(path);
  const connected = new Promise<void>((resolve) => bus?.once("connection", () => resolve()));
  return { env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}` }, connected };
}

describe.skipIf(process.platform !== "linux")("a keyring", () => {
  it("that does not answer in time is an error, for each request", async () => {
    const { env } = silentBus();
    const keyring = openKeyring({ env, signal: new AbortController().signal, limit: 500 });
    const requests = [keyring.get("work"), keyring.set("work", "not-a-secret"), keyring.delete("work")];
    const reasons = await Promise.allSettled(requests);
    const late = { status: "rejected", reason: new Error("it did not answer within 0.5 seconds") };
    expect(reasons).toEqual([late, late, late]);
  });

  it("is not waited for after the signal aborts", async () => {
    const { env, connected } = silentBus();
    const stop = new AbortController();
    const keyring = openKeyring({ env, signal: stop.signal });
    const asked = keyring.get("work");
    void connected.then(() => stop.abort(new Error("stopped")));
    await expect(asked).rejects.toThrow("stopped");
    await expect(keyring.get("work")).rejects.toThrow("stopped");
  });

  it("that cannot be reached is an error with the reason of the library", async () => {
    const env = { ...process.env, DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere/bus" };
    const keyring = openKeyring({ env, signal: new AbortController().signal });
    await expect(keyring.get("work")).rejects.toThrow(/storage|Secret Service|No such file/);
  });
});
