/** What the build and `npm run generate` make from the command table: an entry point of its own, never loaded by a command. */
export { aliases, table } from "../commands/index.ts";
export { docFiles } from "../docs/files.ts";
export { helpTexts } from "./write-help.ts";
