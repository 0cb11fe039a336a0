// Writes the files that are made from others and committed. A test says when one is out of date.
import { ensureInstalled } from "./setup.mjs";

ensureInstalled();
// In this order: what is made of the command table needs the generated sources.
for (const step of ["metrics", "docs"]) {
  const { generate } = await import(`./generate/${step}.mjs`);
  await generate();
}
