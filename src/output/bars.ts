import stringWidth from "string-width";
import type { System } from "../system/system.ts";
import { sizeText } from "../text/format.ts";
import { safeLine } from "../text/safe.ts";
import type { Output } from "./output.ts";

/** The progress of several downloads at once. */
export interface Bars {
  /** Adds one; it is shown while it moves. */
  add(name: string): Bar;
  /** Takes the lines away, so that something else can be printed; they come back with the next step. */
  clear(): void;
}

export interface Bar {
  /** So many bytes are there, of so many where that is known. */
  at(done: number, total: number | undefined): void;
  /** The bytes are there; now they are checked and unpacked. */
  doing(what: string): void;
  end(): void;
}

interface State {
  readonly name: string;
  /** When it began, in this run, and with how many bytes. */
  since: number | undefined;
  from: number;
  done: number;
  total: number | undefined;
  doing: string | undefined;
  /** When its calm line was printed last. */
  said: number;
}

const everyMilliseconds = 100;
const calmMilliseconds = 10_000;
const barWidth = 20;

/** Lines with bar, bytes, rate and time left on a terminal, redrawn in place; elsewhere a calm line now and then. */
export function bars({ system, out, quiet }: { system: System; out: Output; quiet: boolean }): Bars {
  const { stderr } = system;
  const terminal = stderr.isTTY === true;
  const running = new Set<State>();
  let shown = system.now().getTime();
  let drawn = false;

  function clear(): void {
    if (drawn) stderr.write("\r\u001b[J");
    drawn = false;
    shown = system.now().getTime();
  }

  function step(state: State): void {
    if (quiet) return;
    running.add(state);
    const now = system.now().getTime();
    if (!terminal) {
      if (now - state.said < calmMilliseconds) return;
      state.said = now;
      out.note(`${safeLine(state.name)}: ${amount(state)}`);
      return;
    }
    if (now - shown < everyMilliseconds) return;
    shown = now;
    const most = Math.max(1, (stderr.rows ?? 24) - 3);
    const lines = [...running].slice(0, most).map((one) => line(one, now, stderr.columns || 80, out));
    // The cursor rests on an empty line above the bars: a note from elsewhere goes there and is not overwritten.
    stderr.write(`\r\u001b[J\n${lines.join("\n")}\u001b[${lines.length}A\r`);
    drawn = true;
  }

  return {
    clear,
    add(name) {
      const begun = system.now().getTime();
      const state: State = {
        name,
        since: undefined,
        from: 0,
        done: 0,
        total: undefined,
        doing: undefined,
        said: begun,
      };
      return {
        at(done, total) {
          // What was there before, or was thrown away, says nothing of the rate.
          if (state.since === undefined || done < state.done)
            [state.since, state.from] = [system.now().getTime(), done];
          [state.done, state.total] = [done, total];
          step(state);
        },
        doing(what) {
          state.doing = what;
          step(state);
        },
        end() {
          running.delete(state);
          clear();
        },
      };
    },
  };
}

function amount({ done, total, doing }: State): string {
  if (doing !== undefined) return doing;
  if (total === undefined) return sizeText(done);
  return `${sizeText(done)} of ${sizeText(total)} (${percent(done, total)} %)`;
}

function percent(done: number, total: number): number {
  return total === 0 ? 100 : Math.floor((100 * done) / total);
}

function line(state: State, now: number, columns: number, { notePalette }: Output): string {
  const { done, total, doing, since = now, from } = state;
  const rate = now - since < 500 ? undefined : ((done - from) / (now - since)) * 1000;
  const left = rate === undefined || rate <= 0 || total === undefined ? undefined : (total - done) / rate;
  const filled = total === undefined || total === 0 ? 0 : Math.round((barWidth * done) / total);
  const bar = `${"█".repeat(filled)}${"░".repeat(barWidth - filled)}`;
  const facts = [
    amount(state),
    ...(doing === undefined && rate !== undefined ? [`${sizeText(Math.round(rate))}/s`] : []),
    ...(doing === undefined && left !== undefined ? [`${duration(left)} left`] : []),
  ].join("  ");
  const name = fitted(safeLine(state.name), Math.min(30, Math.max(8, columns - barWidth - 60)));
  // The last column stays free: some terminals wrap when it is filled.
  const text =
    columns < barWidth + 40 ? fitted(`${name} ${facts}`, columns - 1) : `${name}  ${notePalette("good", bar)}  `;
  return columns < barWidth + 40
    ? text
    : text + fitted(facts, columns - 1 - stringWidth(name) - barWidth - 4).trimEnd();
}

/** Exactly so many columns. */
function fitted(text: string, columns: number): string {
  let cut = text;
  while (stringWidth(cut) > columns) cut = `${[...cut].slice(0, -2).join("")}…`;
  return cut + " ".repeat(columns - stringWidth(cut));
}

/** `45 s`, `3:20`, `1:02:03`. */
function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (value: number) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
