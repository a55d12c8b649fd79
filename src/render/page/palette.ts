/** The colours from `ink` to `accent`, except `line`, have a contrast of at least 4.5 to 1 on `paper` and `panel`. */
export const PALETTES = {
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
} as const;

export type Palette = Readonly<Record<keyof typeof PALETTES.light, string>>;

/** Only for screens, so that a printed page is light. */
export const DARK_SCREEN = "@media screen and (prefers-color-scheme: dark)";

/** Expects rules without CSS variables, because programs other than browsers may not know such variables. */
export function inBothPalettes(rulesOf: (palette: Palette, look: keyof typeof PALETTES) => readonly string[]): string {
  const light = rulesOf(PALETTES.light, "light");
  const dark = rulesOf(PALETTES.dark, "dark").map((rule) => `  ${rule}`);
  return [...light, `${DARK_SCREEN} {`, ...dark, "}"].join("\n");
}
