import stringWidth from "string-width";
import { sizeText } from "../text/format.ts";
import { safeLine } from "../text/safe.ts";
import { compose, type Styled } from "../text/styled.ts";
import type { Output } from "./output.ts";
import { type ProgressContext, progressBlock } from "./progress.ts";

/** The progress of several downloads at once. */
export interface Bars {
  /** Adds a download; its bar is shown once it makes progress. */
  add(name: string): Bar;
}

export interface Bar {
  /** Reports the bytes received so far, and the total where it is known. */
  at(done: number, total: number | undefined): void;
  /** Reports what is done with the file after the download: `unpacking`. */
  doing(what: string): void;
  /** Removes the bar. */
  end(): void;
}

interface State {
  readonly name: string;
  /** When this run started to receive bytes (milliseconds), and how many were there before. */
  since: number | undefined;
  from: number;
  done: number;
  total: number | undefined;
  doing: string | undefined;
  /** When the last note about it was printed, in milliseconds. */
  noted: number;
}

const redrawMilliseconds = 100;
const noteMilliseconds = 10_000;
const barWidth = 20;

/** Shows a line with bar, bytes, rate and time left per download on a terminal; elsewhere a note every ten seconds. */
export async function bars(context: ProgressContext): Promise<Bars> {
  const { system, out, quiet } = context;
  const block = await progressBlock(context);
  const running = new Set<State>();
  const milliseconds = () => system.now().getTime();
  let drawn = milliseconds();

  function step(state: State): void {
    if (quiet) return;
    running.add(state);
    const now = milliseconds();
    if (block === undefined) {
      if (now - state.noted < noteMilliseconds) return;
      state.noted = now;
      out.note(`${safeLine(state.name)}: ${amount(state)}`);
      return;
    }
    if (now - drawn < redrawMilliseconds) return;
    drawn = now;
    block.draw([...running].map((one) => line(one, now, block.columns, out)));
  }

  return {
    add(name) {
      const noted = milliseconds();
      const state: State = { name, since: undefined, from: 0, done: 0, total: undefined, doing: undefined, noted };
      return {
        at(done, total) {
          // Bytes of an earlier run, or bytes that were discarded, do not count for the rate.
          if (state.since === undefined || done < state.done) [state.since, state.from] = [milliseconds(), done];
          [state.done, state.total] = [done, total];
          step(state);
        },
        doing(what) {
          state.doing = what;
          step(state);
        },
        end() {
          running.delete(state);
          drawn = milliseconds();
          block?.clear();
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

function line(state: State, now: number, columns: number, { notePalette }: Output): string | Styled {
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
  return columns < barWidth + 40 ? `${name} ${facts}` : compose`${name}  ${notePalette("good", bar)}  ${facts}`;
}

/** Cuts or pads a text to a width in columns. */
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
