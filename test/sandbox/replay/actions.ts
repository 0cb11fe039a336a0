import { readExchanges } from "./exchange.ts";
import { isRecord } from "./names.ts";
import { root, type SetUp, type Step, type Unrecorded } from "./set-up.ts";

/** The recordings of Actions and artifacts ran in parallel; indexes refer to the former unless noted. */
const during = (before: number, at: string, step: Step): Unrecorded => ({ of: "actions", before, at: day(at), step });
const day = (time: string) => `2026-11-21T${time}Z`;

const runnerCall = (verb: string, body: object): Step => ({
  as: "root1",
  method: "POST",
  path: `/api/actions/runner.v1.RunnerService/${verb}`,
  body,
});
export const registered = (name: string, level: string, labels: readonly string[], ephemeral = false): Step =>
  runnerCall("Register", { token: `not-a-registration-token-${level}`, name, labels, ephemeral });

/** Presses a button on the web page of a run. */
const pressed = (button: "cancel" | "approve", run: number): Step => ({
  as: "mara",
  method: "POST",
  path: `/mara/harbor/actions/runs/${run}/${button}`,
});
const dispatched = (workflow: string, inputs: object = {}): Step => ({
  as: "mara",
  method: "POST",
  path: `/repos/mara/harbor/actions/workflows/${workflow}/dispatches`,
  body: { ref: "main", inputs },
});
const deleted = (run: number): Step => ({
  as: "mara",
  method: "DELETE",
  path: `/repos/mara/harbor/actions/runs/${run}`,
});

/** The uploads of jobs, from a recorded list. The file contents come from a recorded download, if any. */
function uploads(repo: string, run: number, index: number, which: (id: number) => boolean): Step[] {
  const exchanges = readExchanges("artifacts");
  const listed = exchanges[index]?.response.body;
  const artifacts = isRecord(listed) && Array.isArray(listed["artifacts"]) ? listed["artifacts"].filter(isRecord) : [];
  const download = (id: number) =>
    exchanges.find(({ request, response }) => request.path.includes(`/${id}/zip/raw?`) && isRecord(response.body))
      ?.response.body;
  return artifacts
    .filter(({ id }) => which(Number(id)))
    .map(({ id, name, size_in_bytes: size, created_at, expires_at }) => {
      const file = download(Number(id));
      const body = isRecord(file) && "base64" in file ? Buffer.from(String(file["base64"]), "base64") : undefined;
      const days = (Date.parse(String(expires_at)) - Date.parse(String(created_at))) / 86_400_000;
      return uploaded(repo, run, String(name), body ?? Buffer.alloc(Number(size)), { days: String(days) });
    });
}

const uploaded = (repo: string, run: number, name: string, body: Buffer, more: Record<string, string> = {}): Step => ({
  as: "mara",
  method: "POST",
  path: `/sandbox/repos/mara/${repo}/actions/runs/${run}/artifacts?${new URLSearchParams({ name, ...more })}`,
  body,
});

const placed = (before: number, at: string, steps: readonly Step[]): Unrecorded[] =>
  steps.map((step) => ({ before, at: day(at), step }));

/** Six uploads of a run that was deleted before they were listed. */
const unseen = (run: number) =>
  [1, 2, 3, 4, 5, 6].map((number) => during(161, "09:50:45", uploaded("harbor", run, `${number}`, Buffer.from("x"))));

export const actions: SetUp = {
  people: [root],
  steps: [],
  delays: { jobQueued: 2000, jobStep: 1 },
  between: [
    // Recorded as a form, which the sandbox does not take.
    during(62, "09:48:34", dispatched("release.yml", { version: "3.0", channel: "nightly" })),
    // Runners registered during the recording.
    during(113, "09:50:24", registered("dock-1", "server-0", ["ubuntu-latest"])),
    during(113, "09:50:24", registered("crane-2", "repository-1", ["harbor-only", "ubuntu-latest"])),
    during(113, "09:50:24", registered("winch-3", "owner-2", ["mara"])),
    during(113, "09:50:24", registered("tug-4", "owner-5", ["org"])),
    during(114, "09:50:29", runnerCall("Declare", { token: "not-a-runner-token-1" })),
    during(386, "10:01:30", registered("buoy-5", "owner-5", ["org", "linux"], true)),
    // Runs cancelled, approved and deleted on the web pages.
    during(161, "09:51:30", pressed("cancel", 11)),
    ...unseen(8),
    ...unseen(13),
    ...[1, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15].map((run) => during(173, "09:53:38", deleted(run))),
    during(295, "09:56:24", pressed("cancel", 19)),
    during(339, "09:57:25", pressed("cancel", 19)),
    during(344, "09:57:30", pressed("approve", 16)),
    during(420, "10:06:05", pressed("cancel", 32)),
    // A dispatch missing from the recording.
    during(421, "10:06:55", dispatched("release.yml")),
    // Artifacts uploaded by recorded jobs.
    ...placed(
      1,
      "09:53:48",
      uploads("harbor", 20, 1, () => true),
    ),
    ...placed(
      53,
      "09:59:03",
      uploads("harbor", 20, 70, (id) => id > 18),
    ),
    ...placed(74, "09:59:57", [
      uploaded("lantern", 25, "report", Buffer.from("x"), { generation: "3" }),
      ...uploads("lantern", 25, 74, () => true),
    ]),
  ],
};
