import { Failure } from "./failure.ts";

/** Ctrl-C or SIGTERM arrived; everything under way is aborted with this as its reason. */
export class Interruption extends Failure {
  override readonly name = "Interruption";
  constructor(readonly signal: "SIGINT" | "SIGTERM") {
    super(
      signal === "SIGINT" ? "interrupted" : "terminated",
      signal === "SIGINT" ? "interrupted" : "terminated",
      signal === "SIGINT" ? "Interrupted" : "Terminated",
    );
  }
}

/** The person left a prompt, or said no. Nothing was done. */
export class Cancelled extends Failure {
  override readonly name = "Cancelled";
  constructor() {
    super("cancelled", "cancelled", "Cancelled; nothing was done");
  }
}
