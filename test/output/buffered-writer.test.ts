import { describe, expect, it } from "vitest";
import { bufferedWriter } from "../../src/output/buffered-writer.ts";

describe("buffered rows", () => {
  const collecting = () => {
    const written: string[] = [];
    const lines = bufferedWriter(async (content) => {
      written.push(content);
    });
    return { written, lines };
  };

  it("are written together, in order", async () => {
    const { written, lines } = collecting();
    for (const row of ["a\n", "b\n", "c\n"]) await lines.write(row);
    expect(written).toEqual([]);
    await lines.flush();
    expect(written).toEqual(["a\nb\nc\n"]);
  });

  it("do not wait for the next page", async () => {
    const { written, lines } = collecting();
    await lines.write("a\n");
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(written).toEqual(["a\n"]);
  });

  it("are written at once if there are many, with backpressure", async () => {
    const written: number[] = [];
    let letGo = () => {};
    const lines = bufferedWriter(async (content) => {
      written.push(content.length);
      if (written.length === 1) await new Promise<void>((resolve) => (letGo = resolve));
    });
    const first = lines.write("x".repeat(70_000));
    const second = lines.write("y".repeat(70_000));
    await Promise.resolve();
    expect(written).toEqual([70_000]);
    letGo();
    await Promise.all([first, second]);
    expect(written).toEqual([70_000, 70_000]);
  });
});
