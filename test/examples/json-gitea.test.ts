import { printsJson } from "./json.ts";

await printsJson("gitea");
