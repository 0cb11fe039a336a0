import { switchCommand } from "./switch.ts";

export const disable = switchCommand("disable");
