import { expect, it } from "vitest";
import { ignoredFields } from "../../src/forge/applied.ts";
import { teamCreate } from "../../src/forge/teams.ts";
import { type Handler, serve } from "../support/server.ts";
import { emptyFolder, tongs } from "../support/tongs.ts";
import { type OnSandbox, onSandbox } from "./on-sandbox.ts";

async function onBox(work: (box: OnSandbox) => Promise<void>): Promise<void> {
  const box = await onSandbox();
  await work(box);
}

it("two labels that exclude each other are refused before anything is sent", () =>
  onBox(async (box) => {
    for (const name of ["kind/bug", "kind/task"])
      await box.run(["label", "create", name, "--color", "ff0000", "--exclusive", "-R", "mara/harbor"]);
    box.writes();
    const ran = await box.run(["issue", "edit", "1", "--add-label", "kind/bug,kind/task", "-R", "mara/harbor"]);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("kind/bug and kind/task exclude each other")]);
    expect(box.writes()).toEqual([]);
  }));

it("a repository is not taken from a team that has all of them", () =>
  onBox(async (box) => {
    await box.run(["org", "create", "fleet-2"]);
    await box.run(["repo", "create", "fleet-2/charts"]);
    await box.run(["team", "create", "fleet-2/pilots", "--includes-all-repositories", "--units", "code=read"]);
    box.writes();
    const ran = await box.run(["team", "repo", "remove", "fleet-2/pilots", "charts"]);
    expect([ran.code, ran.stderr]).toEqual([9, expect.stringContaining("has access to all repositories")]);
    expect(box.writes()).toEqual([]);
  }));

it("a team that got access to other units did not get what was asked", () => {
  const asked = { units_map: { "repo.code": "admin" } };
  const ignored = (units_map: object) => ignoredFields(asked, { name: "t", units_map }, teamCreate.applied as never);
  expect(ignored({ "repo.code": "admin", "repo.wiki": "none" })).toEqual([]);
  const is = { "repo.code": "admin", "repo.wiki": "admin" };
  expect(ignored(is)).toEqual([{ name: "units_map", requested: asked.units_map, actual: is }]);
});

/** A server that knows two themes, repeats any other one, and has its default theme then. */
async function withThemes() {
  const themes = ["forgejo-auto", "forgejo-dark"];
  let settings = { full_name: "Mara", theme: "forgejo-dark" };
  const handler: Handler = ({ method, url, body }) => {
    if (url.endsWith("/user")) return { body: { id: 1, login: "mara" } };
    if (method !== "PATCH") return { body: settings };
    const sent = { ...settings, ...(JSON.parse(body) as Partial<typeof settings>) };
    settings = { ...sent, theme: themes.includes(sent.theme) ? sent.theme : "forgejo-auto" };
    return { body: sent };
  };
  const server = await serve(handler, { saysVersion: true });
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_JOURNAL: "", XDG_STATE_HOME: emptyFolder() };
  return { run: (line: string) => tongs(line.split(" "), { env }), settings: () => settings, close: server.close };
}

it("a theme that the server repeats and does not have was not applied, and the edit can be undone", async () => {
  const server = await withThemes();
  const ran = await server.run("user settings edit --full-name ZZ --theme nope --json");
  expect([ran.code, ran.json()]).toEqual([1, { full_name: "ZZ", theme: "forgejo-auto" }]);
  expect(ran.stderr).toContain("The server does not accept 'nope' as theme: it is 'forgejo-auto' now.");
  const undone = await server.run("journal undo 1 --yes");
  expect([undone.code, server.settings()], undone.stderr).toEqual([0, { full_name: "Mara", theme: "forgejo-dark" }]);
});
