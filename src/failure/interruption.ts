import { Failure, type FailureDetails } from "./failure.ts";

/** Ctrl-C or SIGTERM: the reason of the abort signal. */
export class Interruption extends Failure {
  override readonly name = "Interruption";
  constructor(
    readonly signal: "SIGINT" | "SIGTERM",
    details: FailureDetails = {},
  ) {
    const isCtrlC = signal === "SIGINT";
    super(isCtrlC ? "interrupted" : "terminated", isCtrlC ? "Interrupted" : "Terminated", details);
  }
}

/** The user left a prompt or answered no. */
export class Cancelled extends Failure {
  override readonly name = "Cancelled";
  constructor() {
    super("cancelled", "Cancelled; nothing was done");
  }
}
