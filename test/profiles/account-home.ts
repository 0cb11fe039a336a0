// Run as a separate process: says which home directory it has, or why none.
import { homeFolder } from "../../src/system/base-folders.ts";

try {
  console.log(homeFolder({}));
} catch (error) {
  console.log(JSON.stringify(error));
}
