import { expect, it } from "vitest";
import { statusSheet } from "../../../src/app/issues/status.ts";

it("a section has its first lines on a terminal, with the number of the others", () => {
  const lines = Array.from({ length: 22 }, (_, at) => `#${at}`);
  const bodies = (terminal: boolean) => {
    const says = { command: "tongs issue list --all", out: { terminal } };
    const sheet = statusSheet("mara/harbor", [["Yours", lines, "None"] as const, ["Others", [], "None"]], says);
    return sheet.sections?.map(({ body }) => body);
  };
  expect(bodies(true)).toEqual([`${lines.slice(0, 20).join("\n")}\nAnd 2 more: tongs issue list --all`, "None"]);
  expect(bodies(false)).toEqual([lines.join("\n"), "None"]);
});
