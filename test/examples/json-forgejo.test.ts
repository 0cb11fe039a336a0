import { printsJson } from "./json.ts";

await printsJson("forgejo");
