/** What the build makes from the command table: an entry point of its own, never loaded by a command. */
export { table } from "../commands/index.ts";
export { helpTexts } from "./write-help.ts";
