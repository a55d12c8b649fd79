import { rowsOn } from "../../render/watch/live.ts";
import { forTerminal } from "../terminal/standard-output.ts";

type Redraw = ReturnType<typeof import("log-update").createLogUpdate>;

/** How large a terminal is. */
export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** A terminal that does not say how large it is. */
const ASSUMED: ScreenSize = { columns: 80, rows: 24 };

/** A text on a terminal that is redrawn in place, and anew when the terminal changes its size. */
export class LiveScreen {
  readonly #stdout: NodeJS.WriteStream;
  readonly #redraw: Redraw;
  #render: ((size: ScreenSize) => string) | null = null;
  #drawn = "";

  private constructor(stdout: NodeJS.WriteStream, redraw: Redraw) {
    this.#stdout = stdout;
    this.#redraw = redraw;
    stdout.on("resize", this.#resized);
  }

  /** The library is loaded here, for nobody else needs it. */
  static async on(stdout: NodeJS.WriteStream): Promise<LiveScreen> {
    const { createLogUpdate } = await import("log-update");
    return new LiveScreen(stdout, createLogUpdate(stdout));
  }

  /** Draws this in the place of what was there; its lines have to fit. */
  draw(render: (size: ScreenSize) => string): void {
    this.#render = render;
    this.#drawn = forTerminal(render(this.#size()));
    this.#redraw(this.#drawn);
  }

  /** Leaves this on the terminal, or what was drawn last, and the cursor below it. */
  close(render = this.#render): void {
    this.#stdout.off("resize", this.#resized);
    // The terminal itself has printed "^C" where the cursor was.
    this.#stdout.write("\r\u001b[K");
    if (render !== null) this.draw(render);
    this.#redraw.done();
  }

  /** The lines that are there have been broken anew by the terminal: as many rows are erased as they take now. */
  readonly #resized = (): void => {
    if (this.#render === null) return;
    this.#stdout.write(`\u001b[${rowsOn(this.#drawn, this.#size().columns)}A\r\u001b[J`);
    this.#redraw.done();
    this.draw(this.#render);
  };

  #size(): ScreenSize {
    return { columns: this.#stdout.columns || ASSUMED.columns, rows: this.#stdout.rows || ASSUMED.rows };
  }
}
