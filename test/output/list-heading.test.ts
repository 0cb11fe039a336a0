import { describe, expect, it } from "vitest";
import { listHeading } from "../../src/output/list-heading.ts";

describe("the line above a list", () => {
  const pulls = { lists: ["pull request", "pull requests"], state: "open", where: "mara/harbor" } as const;

  it("counts what is shown, with the total where the server sent one", () => {
    expect(listHeading(pulls, 4, 9)).toBe("Showing 4 of 9 open pull requests in mara/harbor");
    expect(listHeading(pulls, 4, undefined)).toBe("Showing 4 open pull requests in mara/harbor");
    expect(listHeading(pulls, 1, 1)).toBe("Showing 1 of 1 open pull request in mara/harbor");
    expect(listHeading({ lists: ["branch", "branches"] }, 1, 1)).toBe("Showing 1 of 1 branch");
  });

  it("can have a line of its own for an empty list", () => {
    const lists = ["item that is waiting for you", "items that are waiting for you"] as const;
    expect(listHeading({ lists, none: "Nothing is waiting for you" }, 0, 0)).toBe("Nothing is waiting for you");
    expect(listHeading({ lists }, 2, 2)).toBe("Showing 2 of 2 items that are waiting for you");
  });

  it("says of an empty list what was looked for", () => {
    expect(listHeading(pulls, 0, 0)).toBe("No open pull requests in mara/harbor");
    expect(listHeading({ ...pulls, filtered: true }, 0, undefined)).toBe(
      "No open pull requests in mara/harbor match your filters",
    );
    expect(listHeading({}, 0, 0)).toBe("No results");
  });
});
