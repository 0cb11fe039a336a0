import { zip } from "../support/zip.ts";
import { openTarget, type Person, type Target } from "./support.ts";

/** A server with a runner labeled `ubuntu-latest`, a user with repositories, and another user. */
export interface Stage {
  readonly target: Target;
  readonly mara: Person;
  readonly jonas: Person;
  /** Creates a repository of mara with these files and returns `OWNER/NAME`. */
  repository(name: string, files: Readonly<Record<string, string>>): Promise<string>;
  /** Writes files on the default branch, which triggers workflows on push. */
  write(repo: string, files: Readonly<Record<string, string>>): Promise<void>;
  /** Waits until a repository has this many runs and returns their IDs, newest first. */
  runs(repo: string, count: number): Promise<readonly number[]>;
}

/** Opens the server under test. A real server must have such a runner; the sandbox is given one. */
export async function openStage(): Promise<Stage> {
  const target = await openTarget();
  const [mara, jonas] = [await target.person("mara"), await target.person("jonas")];
  if (target.kind === "sandbox") {
    const token = (await target.admin.tongs(["runner", "token", "--admin"])).stdout.trim();
    await addRunner(target, { token, name: "dock-1", labels: ["ubuntu-latest"] });
  }
  const write = async (repo: string, files: Readonly<Record<string, string>>) => {
    const changes = await Promise.all(
      Object.entries(files).map(async ([path, content]) => ({
        path,
        content: Buffer.from(content).toString("base64"),
        ...(await shaOf(target, mara, repo, path)),
      })),
    );
    await target.ask("POST", `/repos/${repo}/contents`, { message: "Mend the quay", files: changes }, mara);
  };
  return {
    target,
    mara,
    jonas,
    write,
    async repository(name, files) {
      const given = { name, auto_init: true, default_branch: "main" };
      await target.ask("POST", "/user/repos", given, mara);
      if (Object.keys(files).length > 0) await write(`${mara.login}/${name}`, files);
      return `${mara.login}/${name}`;
    },
    async runs(repo, count) {
      for (;;) {
        const line = ["run", "list", "--json", "id", "-R", repo];
        const ids = ((await mara.tongs(line)).json() as { id: number }[]).map(({ id }) => id);
        if (ids.length >= count) return ids;
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
    },
  };
}

async function shaOf(target: Target, person: Person, repo: string, path: string) {
  const known = await target.ask("GET", `/repos/${repo}/contents/${path}`, undefined, person).catch(() => undefined);
  const operation = known === undefined ? "create" : "update";
  return { operation, ...(known === undefined ? {} : { sha: (known as { sha: string }).sha }) };
}

/** Registers a runner and declares its labels by the runner protocol, which both servers support in JSON. */
export async function addRunner(
  { url }: Pick<Target, "url">,
  runner: { readonly token: string; readonly name: string; readonly labels: readonly string[] },
): Promise<number> {
  const call = async (method: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}/api/actions/runner.v1.RunnerService/${method}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { runner: { id: string; uuid?: string; token: string } };
  };
  const made = (await call("Register", { ...runner, version: "v0.2.13" })).runner;
  const known = { "x-runner-uuid": made.uuid ?? "", "x-runner-token": made.token };
  await call("Declare", { version: "v0.2.13", labels: runner.labels }, known);
  return Number(made.id);
}

/**
 * A step that uploads an artifact with one file. A real runner that cannot fetch actions uses the protocol of the upload
 * action.
 */
export function uploadStep({ kind }: Pick<Target, "kind">, name: string, file: string, content: string): string {
  if (kind === "sandbox") {
    return `
      - run: echo ${content} > ${file}
      - name: Keep ${name}
        uses: actions/upload-artifact@v4
        with: { name: ${name}, path: ${file} }`;
  }
  const packed = zip([{ name: file, content: `${content}\n` }]).toString("base64");
  const ids = `\\"workflow_run_backend_id\\":\\"$GITHUB_RUN_ID\\",\\"workflow_job_run_backend_id\\":\\"1\\"`;
  const ask = `curl -fsS -H "Authorization: Bearer $ACTIONS_RUNTIME_TOKEN" -H "Content-Type: application/json"`;
  return `
      - name: Keep ${name}
        run: |
          echo ${packed} | base64 -d > part.zip
          api="\${ACTIONS_RESULTS_URL%/}/twirp/github.actions.results.api.v1.ArtifactService"
          to=$(${ask} -d "{${ids},\\"name\\":\\"${name}\\",\\"version\\":4}" "$api/CreateArtifact" |
            sed 's/.*"signedUploadUrl": *"\\([^"]*\\)".*/\\1/; s/\\\\u0026/\\&/g')
          curl -fsS -X PUT --data-binary @part.zip "$to&comp=block"
          size=$(wc -c < part.zip)
          ${ask} -d "{${ids},\\"name\\":\\"${name}\\",\\"size\\":\\"$size\\"}" "$api/FinalizeArtifact"`;
}
