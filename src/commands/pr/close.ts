import { stateCommand } from "./change-state.ts";

/** `tongs pr close`. */
export const close = stateCommand("closed");
