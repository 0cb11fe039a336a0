import { expect, it } from "vitest";
import { cassette } from "./cassette.ts";

const one = "gitignore template";

it("replays an exchange once, and passes when all were replayed", async () => {
  const player = await cassette("templates", [one]);
  const ran = await player.run(["api", "/gitignore/templates/Go"]);
  expect([ran.code, ran.json()]).toEqual([0, expect.objectContaining({ name: "Go" })]);
  await player.close();
});

it("refuses another method, path, query or body, and fails the test", async () => {
  const player = await cassette("templates", [one]);
  const refused = [];
  for (const line of [
    ["-X", "DELETE"],
    ["-X", "GET", "-f", "q=1"],
    ["-X", "POST", "-f", "name=Go"],
  ]) {
    refused.push((await player.run(["api", "/gitignore/templates/Go", ...line])).code);
  }
  expect(refused).toEqual([13, 13, 13]);
  await expect(player.close()).rejects.toThrow('not replayed: ["gitignore template"]');
});

it("ignores how long pages are", async () => {
  const player = await cassette("templates", ["gitignore templates"]);
  expect((await player.run(["api", "/gitignore/templates?limit=3&page=1"])).code).toBe(0);
  expect((await player.run(["api", "/gitignore/templates?page=2"])).code).toBe(13);
  await expect(player.close()).rejects.toThrow("refused");
});
