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
