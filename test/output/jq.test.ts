import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../src/failure/failure.ts";
import { Interruption } from "../../src/failure/interruption.ts";
import { runJq } from "../../src/output/jq.ts";
import { streamed } from "../../src/system/output-stream.ts";
import { quietSignal } from "../support/tongs.ts";

/** What jq needs of the process, and what was written to its stderr. */
function surroundings(signal = quietSignal()) {
  const stderr = new PassThrough({ encoding: "utf8" });
  return {
    signal,
    env: { TONGS_TOKEN: "not-a-secret", A: '\\(1) "ü"\n' },
    stderr: streamed(stderr),
    said: (): unknown => stderr.read(),
  };
}

const jq = (program: string, json: string) => runJq(program, json, surroundings());

describe("--jq", () => {
  it("prints strings raw and the rest as JSON, one result per line", async () => {
    expect(await jq(".[] | .name, .id", '[{"name":"mara","id":1},{"name":"jonas","id":2}]')).toBe(
      "mara\n1\njonas\n2\n",
    );
    expect(await jq("{a: .[0]}", "[[1, 2]]")).toBe('{"a":[1,2]}\n');
  });

  it("keeps all digits of an integer beyond 2^53", async () => {
    expect(await jq(".id", '{"id":9007199254740993}')).toBe("9007199254740993\n");
  });

  it("accepts a list of several megabytes", async () => {
    const records = Array.from({ length: 4_000 }, (_, id) => ({ id, body: "x".repeat(1_000) }));
    expect(await jq("length", JSON.stringify(records))).toBe("4000\n");
  });

  it("has the environment, as in jq, but not in its errors", async () => {
    expect(await jq("env.TONGS_TOKEN, $ENV.A, (env | length)", "1")).toBe('not-a-secret\n\\(1) "ü"\n\n2\n');
    expect(await jq("def env: 1; env", "1")).toBe("1\n");
    await expect(jq("env.TONGS_TOKEN | (", "1")).rejects.toThrow(/^--jq: error: syntax error(?!.*not-a-secret)/s);
    await expect(jq("env | nope(1)", "1")).rejects.toThrow(/^--jq: error: nope\/1 is not defined(?!.*not-a-secret)/s);
  });

  it("is a usage error for an invalid program, and a failure if the program fails", async () => {
    await expect(jq(".[", "[]")).rejects.toThrow(UsageError);
    await expect(jq('error("no")', "[]")).rejects.toMatchObject({
      exit: "failure",
      message: expect.stringContaining("no"),
    });
  });

  it("takes text that begins with dashes as a program, not as an option of jq", async () => {
    expect(await jq("-1", "[]")).toBe("-1\n");
    expect(await jq("--1", "[]")).toBe("1\n");
    expect(await jq("--(.[0])", "[7]")).toBe("7\n");
    await expect(jq("--help", "[]")).rejects.toThrow(UsageError);
  });

  it("makes what a program writes to stderr safe, and keeps it apart from the error", async () => {
    const world = surroundings();
    expect(await runJq(".[] | stderr", '["\\u001b]0;x\\u0007\\u009b1m"]', world)).toBe("\u001b]0;x\u0007\u009b1m\n");
    expect(world.said()).toBe("\u241b]0;x\u2407\ufffd1m\n");
    expect(await runJq("debug", "1", world)).toBe("1\n");
    expect(world.said()).toBe('["DEBUG:",1]\n');
    await expect(runJq('debug | error("no")', "1", world)).rejects.toThrow(/^--jq: error .*: no$/);
    expect(world.said()).toBe('["DEBUG:",1]\n');
  });

  it("stops a program without an end when the signal aborts", async () => {
    const stop = new AbortController();
    const reason = new Interruption("SIGINT");
    const running = runJq("last(repeat(1))", "1", surroundings(stop.signal));
    setTimeout(() => stop.abort(reason), 500);
    await expect(running).rejects.toBe(reason);
    await expect(runJq("1", "1", surroundings(stop.signal))).rejects.toBe(reason);
  });
});
