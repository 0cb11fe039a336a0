import { Failure } from "../command/failure.ts";

/** The person left a prompt, or said no. Nothing was done. */
export class Cancelled extends Failure {
  override readonly name = "Cancelled";
  constructor() {
    super("cancelled", "cancelled", "Cancelled; nothing was done");
  }
}
