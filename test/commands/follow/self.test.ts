import { expect, it } from "vitest";
import { emptyFolder } from "../../support/tongs.ts";
import { onSandbox } from "../on-sandbox.ts";

it("follow add refuses oneself, by the profile, and follows the others", async () => {
  const box = await onSandbox();
  const env = { HOME: emptyFolder(), TONGS_HOST: "", TONGS_TOKEN: "" };
  const cwd = env.HOME;
  const signedIn = await box.run(["auth", "login", "--host", box.url, "--token-stdin"], {
    env,
    cwd,
    stdin: box.token("mara"),
  });
  expect(signedIn.code, signedIn.stderr).toBe(0);
  const ran = await box.run(["follow", "add", "Mara", "jonas"], { env, cwd });
  expect([ran.code, ran.stderr]).toEqual([11, expect.stringContaining("You cannot follow yourself")]);
  expect(box.writes()).toEqual(["PUT /user/following/jonas"]);
});
