import { describe, expect, it } from "vitest";
import { listHeading, subjectOf } from "../../src/output/list-heading.ts";

describe("the line above a list", () => {
  const pulls = { what: "open pull requests", where: "mara/harbor" };

  it("counts what is shown, with the total where the server sent one", () => {
    expect(listHeading(pulls, 4, 9)).toBe("Showing 4 of 9 open pull requests in mara/harbor");
    expect(listHeading(pulls, 4, undefined)).toBe("Showing 4 open pull requests in mara/harbor");
    expect(listHeading(pulls, 1, 1)).toBe("Showing 1 of 1 open pull request in mara/harbor");
    expect(listHeading({ what: "branches" }, 1, 1)).toBe("Showing 1 of 1 branch");
    expect(listHeading({ what: "jobs" }, 1, 1)).toBe("Showing 1 of 1 job");
    expect(listHeading({ what: "email addresses" }, 1, 1)).toBe("Showing 1 of 1 email address");
    expect(listHeading({ what: "issues that #8 depends on" }, 1, 1)).toBe("Showing 1 of 1 issue that #8 depends on");
  });

  it("has the verb of one item", () => {
    const what = "items that are waiting for you";
    expect(listHeading({ what }, 1, 1)).toBe("Showing 1 of 1 item that is waiting for you");
    expect(listHeading({ what, none: "Nothing is waiting for you" }, 0, 0)).toBe("Nothing is waiting for you");
    expect(listHeading({ what }, 2, 2)).toBe("Showing 2 of 2 items that are waiting for you");
  });

  it("says of an empty list what was looked for", () => {
    expect(listHeading(pulls, 0, 0)).toBe("No open pull requests in mara/harbor");
    expect(listHeading({ ...pulls, filtered: true }, 0, undefined)).toBe(
      "No open pull requests in mara/harbor match your filters",
    );
    expect(listHeading({}, 0, 0)).toBe("No results");
  });

  it("takes its words from the summary of the command", () => {
    expect(subjectOf("List pull requests")).toBe("pull requests");
    expect(subjectOf("List the jobs of a workflow run")).toBe("jobs");
    expect(subjectOf("List the comments on lines of a pull request")).toBe("comments on lines");
    expect(subjectOf("List your OAuth2 applications")).toBe("OAuth2 applications");
    expect(subjectOf("Search for issues and pull requests in all repositories")).toBe("issues and pull requests");
    expect(subjectOf("List commits, newest first")).toBe("commits");
    expect(subjectOf("View a repository")).toBeUndefined();
  });
});
