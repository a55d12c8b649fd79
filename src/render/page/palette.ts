/** One set of colours. All that text is written in has a contrast of at least 4.5 to 1 on the paper and on the panel. */
export interface Palette {
  readonly paper: string;
  /** A surface a little apart from the paper. */
  readonly panel: string;
  readonly ink: string;
  readonly quiet: string;
  readonly line: string;
  readonly good: string;
  readonly uneasy: string;
  readonly bad: string;
  /** The moment now. */
  readonly accent: string;
}

/** For pages and pictures, on bright paper and on dark screens; good, uneasy and bad as in the terminal. */
export const PALETTES: Readonly<Record<"light" | "dark", Palette>> = {
  light: {
    paper: "#ffffff",
    panel: "#f6f8fa",
    ink: "#1f2328",
    quiet: "#59636e",
    line: "#d1d9e0",
    good: "#1a7f37",
    uneasy: "#9a6700",
    bad: "#cf222e",
    accent: "#0969da",
  },
  dark: {
    paper: "#0d1117",
    panel: "#151b23",
    ink: "#e6edf3",
    quiet: "#9198a1",
    line: "#3d444d",
    good: "#3fb950",
    uneasy: "#d29922",
    bad: "#ff7b72",
    accent: "#58a6ff",
  },
};

/** Rules of CSS that hold where the reader's screen is dark; paper is always bright. */
export const DARK_SCREEN = "@media screen and (prefers-color-scheme: dark)";
