import { expect, it } from "vitest";
import { serve } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";
import { onSandbox } from "../on-sandbox.ts";

it("user edit changes several users, names one that fails, and gives one address to one user alone", async () => {
  const box = await onSandbox();
  const ran = await box.run("user edit jonas nosuch priya --location Malmo --json login,location".split(" "));
  expect([ran.code, ran.json()]).toEqual([11, ["jonas", "priya"].map((login) => ({ login, location: "Malmo" }))]);
  expect(ran.stderr).toContain("nosuch");
  const again = await box.run(["user", "edit", "jonas", "--location", "Malmo"]);
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("User jonas already had this: location")]);
  box.writes();
  const email = await box.run(["user", "edit", "jonas", "priya", "--email", "a@example.org"]);
  expect([email.code, email.stderr, box.writes()]).toEqual([2, expect.stringContaining("--email is of one user"), []]);
});

it("repo transfer moves several repositories, after one question", async () => {
  const server = await serve(({ method, url }) => {
    const full_name = /repos\/(\w+\/\w+)/.exec(url)?.[1] ?? "";
    const [owner, name] = full_name.split("/");
    const body = {
      id: 1,
      name,
      full_name,
      owner: { id: 1, login: owner },
      html_url: `http://git.example.org/${full_name}`,
    };
    if (method === "GET") return { body };
    return full_name === "mara/shed" ? { status: 409, body: { message: "pending" } } : { status: 202, body };
  });
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret-token" };
  const ran = await tongs(["repo", "transfer", "jonas", "mara/quay", "mara/shed", "mara/dock"], {
    env,
    terminal: true,
    answers: [true],
  });
  expect([ran.code, ran.asked]).toEqual([11, [expect.stringContaining("Transfer 3 repositories to jonas")]]);
  for (const name of ["mara/quay", "mara/dock"]) expect(ran.stderr).toContain(`Transferred ${name} to jonas`);
  expect(ran.stderr).toContain("A transfer of mara/shed is already pending");
});
