/** A time that may run out. It begins with the first `restart`. */
interface Clock {
  readonly restart: () => void;
  readonly stop: () => void;
}

/** Makes a clock that runs something after so many milliseconds; 0 is never. */
export type Deadlines = (milliseconds: number, run: () => void) => Clock;

/**
 * Clocks that run something unless they are started anew in time. Their timers are used again by later requests:
 * making and clearing one for each takes longer. They do not keep the process running; connections do.
 */
export function deadlineMaker(): Deadlines {
  const idle = new Map<number, Timer[]>();
  return (milliseconds, run) => {
    if (milliseconds <= 0) return { restart() {}, stop() {} };
    const others = idle.get(milliseconds) ?? [];
    idle.set(milliseconds, others);
    let timer: Timer | undefined;
    let stopped = false;
    return {
      restart() {
        if (stopped) return;
        timer ??= others.pop() ?? newTimer(milliseconds);
        timer.run = run;
        timer.timeout.refresh();
      },
      stop() {
        stopped = true;
        if (timer === undefined) return;
        timer.run = () => {};
        others.push(timer);
        timer = undefined;
      },
    };
  };
}

interface Timer {
  readonly timeout: NodeJS.Timeout;
  run: () => void;
}

function newTimer(milliseconds: number): Timer {
  const timer: Timer = { run: () => {}, timeout: setTimeout(() => timer.run(), milliseconds).unref() };
  return timer;
}
