import { describe, expect, it } from "vitest";
import { UsageError } from "../../src/failure/failure.ts";
import { runJq } from "../../src/output/jq.ts";

describe("--jq", () => {
  it("prints strings raw and the rest as JSON, one result per line", async () => {
    expect(await runJq(".[] | .name, .id", '[{"name":"mara","id":1},{"name":"jonas","id":2}]')).toBe(
      "mara\n1\njonas\n2\n",
    );
    expect(await runJq("{a: .[0]}", "[[1, 2]]")).toBe('{"a":[1,2]}\n');
  });

  it("keeps all digits of an integer beyond 2^53", async () => {
    expect(await runJq(".id", '{"id":9007199254740993}')).toBe("9007199254740993\n");
  });

  it("accepts a list of several megabytes", async () => {
    const records = Array.from({ length: 4_000 }, (_, id) => ({ id, body: "x".repeat(1_000) }));
    expect(await runJq("length", JSON.stringify(records))).toBe("4000\n");
  });

  it("is a usage error for an invalid program, and a failure if the program fails", async () => {
    await expect(runJq(".[", "[]")).rejects.toThrow(UsageError);
    await expect(runJq('error("no")', "[]")).rejects.toMatchObject({
      exit: "failure",
      message: expect.stringContaining("no"),
    });
  });
});
