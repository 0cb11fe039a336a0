import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { serve, type TestServer } from "../support/server.ts";
import { tongs } from "../support/tongs.ts";

let server: TestServer;

/**
 * A server without the user nosuch, whose answer about the organization of that name comes when `ended` resolves, after
 * the command has failed: cut off, or "try again".
 */
const start = async (late: "cut" | "unavailable", ended: Promise<void>) => {
  let asked = () => {};
  const both = new Promise<void>((resolve) => {
    asked = resolve;
  });
  server = await serve(async ({ url }, request) => {
    if (!url.includes("/orgs/")) {
      await both;
      return { status: 404, body: { message: "user does not exist" } };
    }
    asked();
    await ended;
    if (late === "unavailable") return { status: 503, body: {} };
    request.socket.destroy();
    return undefined;
  });
};

describe("a command that has failed", () => {
  it.each([
    ["user delete", ["user", "delete", "nosuch"], "cut"],
    ["user delete", ["user", "delete", "nosuch"], "unavailable"],
    ["user edit", ["user", "edit", "nosuch", "--admin"], "cut"],
    ["user edit", ["user", "edit", "nosuch", "--admin"], "unavailable"],
  ] as const)("starts nothing more and says nothing more (%s)", async (_name, line, late) => {
    let end = () => {};
    await start(
      late,
      new Promise((resolve) => {
        end = resolve;
      }),
    );
    const world = {
      terminal: true,
      answers: [],
      env: { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" },
    };
    const ran = await tongs([...line, "--debug"], world);
    expect(ran.code).toBe(5);
    const [said, asked] = [ran.said(), server.lines()];
    expect(said).toMatch(/nosuch not found[^\n]*\n$/);
    end();
    await setTimeout(300);
    expect(ran.said()).toBe(said);
    expect(server.lines()).toEqual(asked);
  });
});
