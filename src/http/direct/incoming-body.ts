import type { Body } from "../transport.ts";

/** What a body does with the connection that it comes from. */
export interface BodySource {
  pause(): void;
  resume(): void;
  /** Drops the rest. */
  stop(): void;
}

/** With so many bytes waiting for the reader, the connection waits, too. */
const mostHeld = 256 * 1024;

/** A body that a connection fills and one reader empties. */
export class IncomingBody implements Body {
  #held: Buffer[] = [];
  #weight = 0;
  #take: ((piece: Buffer) => void) | undefined;
  #outcome: "whole" | Error | undefined;
  #wake = () => {};

  constructor(private readonly source: BodySource) {}

  /** Whether the connection waits for the reader. */
  get full(): boolean {
    return this.#weight > mostHeld;
  }

  push(piece: Buffer): void {
    if (this.#outcome !== undefined) return;
    if (this.#take !== undefined) this.#give(this.#take, piece);
    else {
      this.#held.push(Buffer.from(piece));
      this.#weight += piece.length;
      if (this.full) this.source.pause();
      this.#wake();
    }
  }

  /** It is whole, or was cut short by an error. */
  end(outcome: "whole" | Error): void {
    this.#outcome ??= outcome;
    this.#wake();
  }

  drain(take: (piece: Buffer) => void): Promise<void> {
    for (const piece of this.#release()) if (!this.#give(take, piece)) break;
    if (this.#outcome === "whole") return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#take = take;
      this.#wake = () => {
        if (this.#outcome === "whole") resolve();
        else if (this.#outcome !== undefined) reject(this.#outcome);
      };
      this.#wake();
    });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void, undefined> {
    try {
      for (;;) {
        yield* this.#release();
        if (this.#held.length > 0) continue;
        if (this.#outcome === "whole") return;
        if (this.#outcome !== undefined) throw this.#outcome;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      this.destroy();
    }
  }

  destroy(): void {
    if (this.#outcome !== undefined) return;
    this.end(new Error("closed before its end"));
    this.#release();
    this.source.stop();
  }

  #give(take: (piece: Buffer) => void, piece: Buffer): boolean {
    try {
      take(piece);
      return true;
    } catch (error) {
      const open = this.#outcome === undefined;
      this.#outcome = error as Error;
      this.#wake();
      if (open) this.source.stop();
      return false;
    }
  }

  #release(): Buffer[] {
    const held = this.#held;
    this.#held = [];
    const waited = this.full;
    this.#weight = 0;
    if (waited && this.#outcome === undefined) this.source.resume();
    return held;
  }
}
