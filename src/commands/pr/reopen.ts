import { stateCommand } from "./change-state.ts";

/** `tongs pr reopen`. */
export const reopen = stateCommand("open");
