import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { emptyFolder } from "../../support/tongs.ts";
import { encoded, fileBytes, reading, tongsBytes } from "./bytes.ts";

/** A folder with readings of two values without names, then of one, as senders without a types.db have them. */
async function recorded(): Promise<string> {
  const cwd = emptyFolder();
  const readings = [[1, 100], [2, 200], [3, 300], [7]].map((values, index) => {
    const identifier = { host: "h", plugin: "p", type: values.length === 1 ? "one" : "t" };
    const given = { interval: "10s", identifier, ds_names: [] };
    return reading(
      values.map((gauge) => ({ gauge })),
      index * 10,
      given,
    );
  });
  writeFileSync(join(cwd, "r.bin"), await encoded(...readings));
  return cwd;
}

describe("values of a reading without names are series of their own", () => {
  const run = async (words: readonly string[]) => {
    const cwd = await recorded();
    const ran = await tongsBytes(["metrics", ...words], { cwd });
    return { cwd, code: ran.code, out: ran.stdout.toString() };
  };

  test("in metrics stat, named by their numbers; one alone has no name", async () => {
    const { out } = await run(["stat", "r.bin", "--jq", '.[] | "\\(.series) \\(.ds_name) \\(.count) \\(.max)"']);
    expect(out).toBe("p/one  1 7\np/t:value_1 value_1 3 3\np/t:value_2 value_2 3 300\n");
  });

  test("in metrics plot", async () => {
    const { out } = await run(["plot", "r.bin", "--series", "p/t", "--series", "*value_2"]);
    const legend = out.trimEnd().split("\n").slice(-2);
    expect(
      legend.map((line) =>
        line
          .split(/ {2,}/)
          .slice(1, 4)
          .concat(line.split(" ").at(-1) ?? ""),
      ),
    ).toEqual([
      ["1", "2", "3", "p/t:value_1"],
      ["100", "200", "300", "p/t:value_2"],
    ]);
  });

  test("in metrics check", async () => {
    const { code, out } = await run(["check", "p/t:value_1", "r.bin", "--crit", "50"]);
    expect([code, out]).toEqual([0, "OK - p/t:value_1 is 3 | 'p/t:value_1'=3;;50\n"]);
    expect((await run(["check", "p/t", "r.bin", "--crit", "50"])).code).toBe(2);
  });

  test("in metrics report", async () => {
    const { cwd } = await run(["report", "r.bin", "-o", "r.html"]);
    const labels = fileBytes(cwd, "r.html")
      .toString()
      .match(/"l":"[^"]*"/g);
    expect(labels).toEqual(['"l":"one"', '"l":"value_1"', '"l":"value_2"']);
  });

  test("when readings of one series have one value and then two", async () => {
    const unnamed = { ds_names: [] };
    const stdin = await encoded(
      reading([{ gauge: 5 }], undefined, unnamed),
      reading([{ gauge: 1 }, { gauge: 2 }], undefined, unnamed),
    );
    const words = ["metrics", "stat", "--jq", '.[] | "\\(.series) \\(.max)"'];
    const { stdout } = await tongsBytes(words, { stdin });
    expect(stdout.toString()).toBe("p/t 5\np/t:value_1 1\np/t:value_2 2\n");
  });
});
