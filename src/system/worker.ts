import { join } from "node:path";
import { Worker } from "node:worker_threads";

/** A worker thread that answers one question at a time. */
export interface WorkerThread<Question, Answer> {
  /** Rejects with the signal's reason when it aborts, and with the error that ended the thread. */
  ask(question: Question): Promise<Answer>;
  /** Ends the thread, whatever it does. */
  close(): void;
}

/** The kinds of work in `workers/unbounded.js`, each with its questions and answers. */
export type WorkerName = "jq" | "search";

/** What `search` is asked: which texts match. */
export interface SearchQuestion {
  readonly pattern: RegExp;
  readonly texts: readonly string[];
}

/** What `search` answers: whether each text matches, or why the pattern cannot be matched. */
export type SearchAnswer = { readonly matches: readonly boolean[] } | { readonly failed: string };

/**
 * Starts a worker thread for work that may not end, such as a program or a pattern that a user typed: the main thread
 * stays free for signals, and the signal ends the worker. What the worker writes to its own stdout and stderr is dropped.
 */
export function startWorker<Question, Answer>(name: WorkerName, signal: AbortSignal): WorkerThread<Question, Answer> {
  const file = join(__dirname, "workers", "unbounded.js");
  const worker = new Worker(file, { workerData: name, execArgv: [], stdout: true, stderr: true });
  let stopped: { readonly reason: unknown } | undefined;
  let open: { resolve(answer: Answer): void; reject(reason: unknown): void } | undefined;

  function stop(reason: unknown): void {
    stopped ??= { reason };
    open?.reject(stopped.reason);
  }
  function interrupt(): void {
    stop(signal.reason);
    void worker.terminate();
  }
  worker.on("message", (answer: Answer) => open?.resolve(answer));
  worker.on("error", stop);
  worker.on("exit", (code) => stop(new Error(`The worker thread '${name}' ended with code ${code}`)));
  if (signal.aborted) interrupt();
  else signal.addEventListener("abort", interrupt, { once: true });

  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        open = { resolve, reject };
        if (stopped === undefined) worker.postMessage(question);
        else reject(stopped.reason);
      }),
    close() {
      signal.removeEventListener("abort", interrupt);
      // Not every runtime can stop a thread in the middle of a loop; the process does not wait for it.
      worker.unref();
      void worker.terminate();
    },
  };
}
