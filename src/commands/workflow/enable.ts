import { switchCommand } from "./switch.ts";

export const enable = switchCommand("enable");
