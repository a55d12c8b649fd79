import type { LiveFrame } from "../../render/watch/live.ts";

/** Says on stderr when the connection is lost, and when it is there again: where the output itself cannot. */
export class TroubleNotes {
  readonly #subject: string;
  readonly #note: (sentence: string) => void;
  #isTold = false;

  /** `subject`: what is watched, in words. */
  constructor(subject: string, note: (sentence: string) => void) {
    this.#subject = subject;
    this.#note = note;
  }

  /** Takes what a frame says of the connection; each change of it is told once. */
  take(trouble: LiveFrame["trouble"]): void {
    if (trouble !== null && !this.#isTold)
      this.#note(`Nothing is heard of ${this.#subject} (${trouble.because}): trying again.`);
    if (trouble === null && this.#isTold) this.#note("The connection is there again.");
    this.#isTold = trouble !== null;
  }
}
