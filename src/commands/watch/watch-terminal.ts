import type { RenderOptions } from "../../render/page/page.ts";
import { renderLive } from "../../render/watch/live.ts";
import type { WatchOutput } from "./watch-output.ts";
import { LiveScreen, type ScreenSize } from "./watch-screen.ts";
import type { Frame } from "./watch-session.ts";

type Look = Omit<RenderOptions, "columns">;

/** A terminal: the explanation is redrawn in place, and what was last shown stays when the watch is over. */
export class TerminalOutput implements WatchOutput {
  readonly #screen: LiveScreen;
  readonly #look: Look;
  #frame: Frame | null = null;

  private constructor(screen: LiveScreen, look: Look) {
    this.#screen = screen;
    this.#look = look;
  }

  static async on(stdout: NodeJS.WriteStream, look: Look): Promise<TerminalOutput> {
    return new TerminalOutput(await LiveScreen.on(stdout), look);
  }

  async show(frame: Frame): Promise<void> {
    this.#frame = frame;
    this.#screen.draw(this.#rendering(frame));
  }

  close(): void {
    const frame = this.#frame;
    if (frame === null) this.#screen.close();
    else this.#screen.close(this.#rendering(frame.end === null ? { ...frame, end: "stopped" } : frame));
  }

  #rendering(frame: Frame): (size: ScreenSize) => string {
    return (size) => renderLive(frame, { ...this.#look, ...size });
  }
}
