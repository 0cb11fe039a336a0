import { describe, expect, it } from "vitest";
import { asAsked } from "../../support/as-asked.ts";
import { type Answer, type Scripted, scripted } from "../pr/scripted.ts";

let forge: Scripted;

const harbor = {
  full_name: "mara/harbor",
  name: "harbor",
  html_url: "https://x.test/mara/harbor",
  description: "Berths",
  private: true,
  fork: false,
  open_issues_count: 2,
  open_pr_counter: 1,
  default_branch: "main",
  topics: null,
};
const start = async (routes: Record<string, Answer> = {}) => {
  forge = await scripted({ "GET ": { body: harbor }, "GET //user": { body: { login: "mara" } }, ...routes });
};
const missing = { status: 404, body: { message: "not found" } };

describe("repo view", () => {
  it("shows the current repository, or the given one, and reads the root folder for a README", async () => {
    await start({
      "GET //repos/priya/atlas": { body: { ...harbor, full_name: "priya/atlas" } },
      "GET /contents": { body: [] },
    });
    expect((await forge.run(["repo", "view"])).stdout).toContain("title\tmara/harbor\n");
    expect((await forge.run(["repo", "view", "priya/atlas", "--json", "full_name"])).stdout).toBe(
      '{"full_name":"priya/atlas"}\n',
    );
    expect(forge.lines()).toEqual(["GET ", "GET /contents", "GET //repos/priya/atlas"]);
  });
});

describe("repo list", () => {
  it("lists one's own repositories, or those of another owner", async () => {
    const empty = { body: [] };
    await start({
      "GET //user/repos": { body: [harbor] },
      "GET //users/priya/repos": empty,
      "GET //users/priya": { body: { id: 3, login: "priya" } },
      // Servers answer so for a private organization.
      "GET //users/hidden/repos": empty,
      "GET //users/hidden": missing,
    });
    expect((await forge.run(["repo", "list"])).stdout).toBe("mara/harbor\tBerths\tprivate\t\n");
    expect(await forge.run(["repo", "list", "priya", "--json"])).toMatchObject({ code: 0, stdout: "[]\n" });
    expect(await forge.run(["repo", "list", "hidden"])).toMatchObject({ code: 5, stdout: "" });
  });

  it("fails for an unknown owner", async () => {
    await start({ "GET //users/nobody/repos": missing });
    const ran = await forge.run(["repo", "list", "nobody"]);
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain("User or organization nobody not found");
  });
});

describe("repo create", () => {
  it("creates a repository of one's own and prints its URL", async () => {
    await start({ "POST //user/repos": { status: 201, body: harbor } });
    const ran = await forge.run(["repo", "create", "harbor", "--private", "--init", "-d", "Berths"]);
    expect(ran).toMatchObject({ code: 0, stdout: "https://x.test/mara/harbor\n" });
    const body = { name: "harbor", description: "Berths", private: true, auto_init: true, readme: "Default" };
    expect(forge.writes()).toEqual([["POST //user/repos", body]]);
  });

  it.each([
    [["charts", "--org", "tidewater"], "POST //orgs/tidewater/repos"],
    [["tidewater/charts"], "POST //orgs/tidewater/repos"],
    [["mara/charts"], "POST //user/repos"],
  ])("creates %j with the right owner", async (words, line) => {
    await start({ [line]: asAsked(harbor) });
    expect((await forge.run(["repo", "create", ...words])).code).toBe(0);
    expect(forge.writes()[0]?.[0]).toBe(line);
  });

  it("names the repository that already exists", async () => {
    const body = { message: "The repository with the same name already exists." };
    await start({ "POST //user/repos": { status: 409, body } });
    const ran = await forge.run(["repo", "create", "harbor"]);
    expect(ran.code).toBe(9);
    expect(ran.stderr).toContain("Repository mara/harbor already exists");
  });

  it.each([
    [["a/b/c"], "'a/b/c' is not a valid repository name"],
    [["a/b", "--org", "c"], "name different owners"],
    [["b", "--license", "MIT"], "require --init"],
  ])("rejects %j before writing anything", async (words, message) => {
    await start();
    const ran = await forge.run(["repo", "create", ...words]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(message);
    expect(forge.writes()).toEqual([]);
  });

  it("fails for an unknown organization", async () => {
    await start();
    const ran = await forge.run(["repo", "create", "x", "--org", "nope"]);
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain("Organization nope not found");
  });
});

describe("repo delete", () => {
  it("asks for the name on a terminal, and shows what would be deleted", async () => {
    await start({ "DELETE ": { status: 204 } });
    const world = { terminal: true, answers: ["harbor", "mara/harbor"] };
    const ran = await forge.run(["repo", "delete", "mara/harbor"], world);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain("mara/harbor: 2 open issues, 1 open pull request");
    expect(forge.writes()).toHaveLength(1);
  });

  it("prints the deleted record with --json", async () => {
    await start({ "DELETE ": { status: 204 } });
    const ran = await forge.run(["repo", "delete", "mara/harbor", "-y", "--json", "full_name"]);
    expect(ran).toMatchObject({ code: 0, stdout: '{"full_name":"mara/harbor"}\n' });
  });
});
