import type { System } from "../system/system.ts";

/** Redraws a screen each second, so that it moves while nothing changes. */
export interface Ticking {
  /**
   * Calls `draw` now and each second, in place of the one before, with the frame of a spinner and the seconds since this
   * call.
   */
  each(draw: (frame: string, seconds: number) => void): void;
  end(): void;
}

/** The signs that a spinner shows in turn. */
export const spinnerFrames = [..."⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"];

/** Starts to count; the timer does not keep the process. */
export function ticking(system: Pick<System, "now">): Ticking {
  let timer: NodeJS.Timeout | undefined;
  let frame = 0;
  return {
    each(draw) {
      clearInterval(timer);
      const started = system.now().getTime();
      const redraw = () => {
        frame = (frame + 1) % spinnerFrames.length;
        draw(spinnerFrames[frame] ?? "", Math.round((system.now().getTime() - started) / 1000));
      };
      redraw();
      timer = setInterval(redraw, 1000);
      timer.unref();
    },
    end: () => clearInterval(timer),
  };
}
