import { describe, expect, it } from "vitest";
import { Interruption } from "../../src/failure/interruption.ts";
import { serve } from "../support/server.ts";
import { emptyFolder, tongs } from "../support/tongs.ts";

describe("several targets and Ctrl-C", () => {
  it.each(["1.26.0", "16.0.0+gitea-1.22.0"])(
    "says on %s what is done, what was sent, and what was not",
    async (version) => {
      const stop = new AbortController();
      let waiting = 0;
      const issue = (number: number, state: string) => ({
        id: number,
        number,
        title: "Lamp",
        state,
        user: { login: "mara" },
        labels: [],
        comments: 0,
        repository: { id: 1, name: "lamps", owner: "mara", full_name: "mara/lamps" },
      });
      const server = await serve(
        ({ method, url }) => {
          if (url === "/api/v1/version") return { body: { version } };
          const number = Number(/issues\/(\d+)/.exec(url)?.[1]);
          if (method !== "PATCH") return { body: issue(number, "open") };
          if (number === 1) return { status: 201, body: issue(1, "closed") };
          if (number === 2) return { status: 403, body: { message: "no" } };
          waiting += 1;
          // The answers to the others never come.
          return new Promise(() => {});
        },
        { saysVersion: true },
      );
      const env = {
        TONGS_HOST: server.url,
        TONGS_TOKEN: "not-a-secret",
        TONGS_REPO: "mara/lamps",
        TONGS_JOURNAL: "off",
      };
      const numbers = Array.from({ length: 12 }, (_, at) => `${at + 1}`);
      const running = tongs(["issue", "close", ...numbers], { env, cwd: emptyFolder(), signal: stop.signal });
      await expect.poll(() => waiting).toBe(8);
      stop.abort(new Interruption("SIGINT"));
      const ran = await running;
      await server.close();
      const waitingFor = [3, 4, 5, 6, 7, 8, 9, 10].map((number) => `mara/lamps#${number}`).join(", ");
      expect(ran.code).toBe(130);
      expect(ran.stderr).toContain("Closed issue mara/lamps#1 ");
      expect(ran.stderr).toContain("no\n");
      expect(ran.stderr).toContain(
        `1 of 12 are done, 1 failed. Sent, but the answer is not known: ${waitingFor}. Nothing was sent for the other 2.`,
      );
    },
  );
});
