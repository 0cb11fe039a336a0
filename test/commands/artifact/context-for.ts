import type { FetchContext } from "../../../src/app/artifacts/fetch-artifact.ts";
import type { Output } from "../../../src/output/output.ts";
import { clientFor } from "../../http/client-for.ts";
import { quietSignal } from "../../support/tongs.ts";
import type { ArtifactServer } from "./artifact-server.ts";

/** The context of a command that collects artifacts, as far as it is used. */
export function openContextFor({ api }: ArtifactServer, cwd: string, out: Partial<Output>): FetchContext {
  const system = { cwd, signal: quietSignal(), now: () => new Date(), random: () => 0.5, sleep: async () => undefined };
  return {
    http: clientFor(api.url).http,
    server: { base: new URL(api.url) },
    repo: { owner: "mara", name: "harbor" },
    options: { quiet: true, dryRun: false },
    system: { ...system, stderr: { isTTY: false } },
    out,
  } as unknown as FetchContext;
}
