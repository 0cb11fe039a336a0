// Writes the generated files that are committed. A test fails if they are out of date.
import { ensureInstalled } from "./setup.mjs";

ensureInstalled();
// In this order: the command table imports the generated sources.
for (const step of ["metrics", "operations", "docs", "coverage"]) {
  const { generate } = await import(`./generate/${step}.mjs`);
  await generate();
}
