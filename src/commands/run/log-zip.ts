import { resolve } from "node:path";
import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { runName } from "../../app/runs/columns.ts";
import { jobsOf } from "../../app/runs/find-job.ts";
import type { OnExisting } from "../../archive/move-into-place.ts";
import { type FileToZip, zipOf } from "../../archive/zip.ts";
import { fileNameKey, fileNames } from "../../download/file-names.ts";
import { saveFile } from "../../download/save-file.ts";
import { Failure } from "../../failure/failure.ts";
import { jobLogs } from "../../forge/jobs.ts";
import { call } from "../../forge/operation.ts";
import { readJob } from "../../forge/read-job.ts";
import { type Run, runLogs } from "../../forge/runs.ts";
import type { StreamAnswer } from "../../http/answers.ts";
import { NotFoundError, UnknownOperationError } from "../../http/errors.ts";
import { addressText } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";
import { fullPath, shownPath } from "../../system/files.ts";

type ZipContext = RepositoryContext & Pick<BaseContext, "out" | "system" | "options">;

/** Where the zip file is saved, and what is done with one that exists. */
interface Target {
  readonly dir: string;
  readonly onExisting: OnExisting;
}

/** Saves the logs of all jobs of a run, of the latest attempt or the given one, as `run-ID-logs.zip`. */
export async function saveLogs(run: Run, attempt: number | undefined, target: Target, context: ZipContext) {
  const { repo, out, server, system, options } = context;
  const { signal, sleep, random } = system;
  const fileName = `run-${run.id}-logs.zip`;
  const into = fullPath(target.dir, system);
  const shown = shownPath(resolve(into, fileName), system);
  const about = `the logs of ${runName(fullName(repo), run)}`;
  if (options.dryRun) return out.done(`Would save ${about} to ${shown}`);
  const { existing } = await saveFile(
    {
      into,
      fileName,
      key: fileNameKey(fileName),
      size: undefined,
      onExisting: target.onExisting,
      source: `${addressText(server.base)} ${fullName(repo)} logs of run ${run.id}`,
      open: () => zippedLogs(run, attempt, context),
    },
    { signal, sleep, random, maxBytes: Number.POSITIVE_INFINITY, onProgress: () => undefined },
  );
  await out.done(existing ? `${shown} ${existing}` : `Saved ${about} to ${shown}`, { prints: shown });
}

/** The zip file of the server, or one made of the logs of the jobs (docs/server-differences.md, "Logs"). */
async function zippedLogs(run: Run, attempt: number | undefined, context: ZipContext): Promise<StreamAnswer> {
  if (attempt === undefined) {
    try {
      return await call(context.http, runLogs, { repo: context.repo, run_id: run.id });
    } catch (error) {
      if (!(error instanceof UnknownOperationError)) throw error;
    }
  }
  const pieces = zipOf(logFiles(run, attempt, context));
  const body = {
    [Symbol.asyncIterator]: () => pieces,
    async drain(take: (piece: Buffer) => void) {
      for await (const piece of pieces) take(piece);
    },
    destroy: () => void pieces.return(),
  };
  return { status: 200, headers: {}, url: context.server.base, body };
}

/** The log of each job that has one. Throws a `not_found` failure if none has. */
async function* logFiles(run: Run, attempt: number | undefined, context: ZipContext): AsyncGenerator<FileToZip> {
  const { http, repo, out } = context;
  const jobs = await jobsOf(run, context, attempt);
  const names = fileNames(
    jobs.map((job) => ({ id: job.id, name: `${job.name}-${job.id}-attempt-${readJob(job).attempt ?? 1}.log` })),
  );
  let isEmpty = true;
  for (const job of jobs) {
    try {
      const { body } = await call(http, jobLogs, { repo, job_id: job.id });
      isEmpty = false;
      yield { name: names.get(job.id) ?? `${job.id}.log`, content: body };
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      out.note(`${job.name}: ${error.serverMessage || "no log available"}.`);
    }
  }
  if (isEmpty) throw new Failure("not_found", `${runName(fullName(repo), run)} has no logs`);
}
