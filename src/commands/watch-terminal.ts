import { renderLive } from "../render/live.ts";
import { rowsOn } from "../render/live-rows.ts";
import type { RenderOptions } from "../render/page.ts";
import type { WatchOutput } from "./watch-output.ts";
import type { Frame } from "./watch-session.ts";

type Redraw = ReturnType<typeof import("log-update").createLogUpdate>;

/** A terminal without these has to be told what to assume. */
const ASSUMED = { columns: 80, rows: 24 } as const;

/** A terminal: the explanation is redrawn in place, and what was last shown stays when the watch is over. */
export class TerminalOutput implements WatchOutput {
  readonly #stdout: NodeJS.WriteStream;
  readonly #redraw: Redraw;
  readonly #look: Omit<RenderOptions, "columns">;
  #frame: Frame | null = null;
  #drawn = "";

  private constructor(stdout: NodeJS.WriteStream, redraw: Redraw, look: Omit<RenderOptions, "columns">) {
    this.#stdout = stdout;
    this.#redraw = redraw;
    this.#look = look;
    stdout.on("resize", this.#resized);
  }

  /** The library is loaded here, for nobody else needs it. */
  static async on(stdout: NodeJS.WriteStream, look: Omit<RenderOptions, "columns">): Promise<TerminalOutput> {
    const { createLogUpdate } = await import("log-update");
    return new TerminalOutput(stdout, createLogUpdate(stdout), look);
  }

  async show(frame: Frame): Promise<void> {
    this.#frame = frame;
    this.#draw();
  }

  /** The terminal itself has printed "^C" where the cursor was. */
  close(): void {
    this.#stdout.off("resize", this.#resized);
    this.#stdout.write("\r\u001b[K");
    if (this.#frame !== null && this.#frame.end === null) {
      this.#frame = { ...this.#frame, end: "stopped" };
      this.#draw();
    }
    this.#redraw.done();
  }

  #draw(): void {
    if (this.#frame === null) return;
    const { columns, rows } = this.#size();
    this.#drawn = renderLive(this.#frame, { ...this.#look, columns, rows });
    this.#redraw(this.#drawn);
  }

  /** The lines that are there have been broken anew by the terminal: as many rows are erased as they take now. */
  readonly #resized = (): void => {
    if (this.#drawn === "") return;
    this.#stdout.write(`\u001b[${rowsOn(this.#drawn, this.#size().columns)}A\r\u001b[J`);
    this.#redraw.done();
    this.#draw();
  };

  #size(): { columns: number; rows: number } {
    return { columns: this.#stdout.columns || ASSUMED.columns, rows: this.#stdout.rows || ASSUMED.rows };
  }
}
