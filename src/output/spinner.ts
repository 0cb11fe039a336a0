import { isDrawing } from "../system/drawing.ts";
import { isLineByLine } from "../system/surface.ts";
import type { System } from "../system/system.ts";
import { Styled } from "../text/styled.ts";
import { spinnerFrames } from "./ticking.ts";

/** A sign on stderr that a request takes long. */
export interface Spinner {
  /** Shows it after 200 ms; returns a function that ends it. Several can be started at once. */
  start(): () => void;
  /** Erases it before other output; it is shown again if a request still runs. */
  erase(): void;
}

const delay = 200;
const redrawMilliseconds = 100;

/**
 * Makes the spinner of a command. Nothing is shown where stderr is not a terminal or is not redrawn, or while a prompt,
 * a live block or a pager draws on the terminal.
 */
export function openSpinner(system: System, quiet: boolean): Spinner {
  const { stderr } = system;
  if (quiet || system.animates !== true || stderr.isTTY !== true || isLineByLine(system.env)) {
    return { start: () => () => {}, erase: () => {} };
  }
  let running = 0;
  let frame = 0;
  let isShown = false;
  let timer: NodeJS.Timeout | undefined;

  const draw = (codes: string): void => void stderr.write(Styled.composed("drawing", codes));
  const erase = (): void => {
    if (isShown) draw("\r\u001b[K");
    isShown = false;
  };
  const tick = (): void => {
    timer = setTimeout(tick, redrawMilliseconds);
    timer.unref();
    if (isDrawing(system)) {
      erase();
      return;
    }
    frame = (frame + 1) % spinnerFrames.length;
    draw(`\r${spinnerFrames[frame]} Waiting for the server`);
    isShown = true;
  };
  return {
    start() {
      running += 1;
      if (timer === undefined) {
        timer = setTimeout(tick, delay);
        timer.unref();
      }
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        running -= 1;
        if (running > 0) return;
        clearTimeout(timer);
        timer = undefined;
        erase();
      };
    },
    erase,
  };
}
