import { DARK_SCREEN, PALETTES, type Palette } from "./palette.ts";
import { type Attributes, element, toHtml, type XmlChild, type XmlElement } from "./xml.ts";

interface HtmlPage {
  readonly title: string;
  readonly body: readonly XmlElement[];
  readonly styles?: string;
  /** The page allows a script only by its hash, so the text of a script must not vary. */
  readonly scripts?: readonly PageScript[];
}

export interface PageScript {
  readonly text: string;
  /** The SHA-256 of `\n${text.trim()}\n` in base64, for the page's Content-Security-Policy. */
  readonly sha256: string;
}

const POLICY = ["default-src 'none'", "style-src 'unsafe-inline'", "base-uri 'none'", "form-action 'none'"];

export function htmlPage({ title, body, styles = "", scripts = [] }: HtmlPage): string {
  const allowed = scripts.map(({ sha256 }) => `'sha256-${sha256}'`);
  const policy = scripts.length === 0 ? POLICY : [...POLICY, ["script-src", ...allowed].join(" ")];
  const head = [
    element("meta", { charset: "utf-8" }),
    element("meta", { "http-equiv": "Content-Security-Policy", content: policy.join("; ") }),
    element("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
    element("meta", { name: "color-scheme", content: "light dark" }),
    element("meta", { name: "referrer", content: "no-referrer" }),
    element("title", {}, [title]),
    element("style", {}, [`\n${COLORS}${STYLES}${styles.trim()}\n`]),
  ];
  return toHtml(
    element("html", { lang: "en" }, [
      element("head", {}, head),
      element("body", {}, [
        element("main", {}, body),
        ...scripts.map(({ text }) => element("script", {}, [`\n${text.trim()}\n`])),
      ]),
    ]),
  );
}

export function figurePage(title: string, body: readonly XmlElement[], scripts: readonly PageScript[] = []): string {
  return htmlPage({ title, styles: FIGURE_STYLES, body: [element("h1", {}, [title]), ...body], scripts });
}

const FIGURE_STYLES = `
figure { margin: 1.5rem 0 0.5rem; overflow-x: auto; }
figure svg { min-width: 45rem; width: 100%; }
`;

export function htmlTable(
  headings: readonly string[],
  rows: readonly (readonly XmlChild[])[],
  attributes: Attributes = {},
): XmlElement {
  const head = headings.map((heading) => element("th", { scope: "col" }, [heading]));
  const body = rows.map(([name = "", ...cells]) => {
    const others = cells.map((cell, index) => element("td", { "data-label": headings[index + 1] ?? "" }, [cell]));
    return element("tr", {}, [element("th", { scope: "row" }, [name]), ...others]);
  });
  const table = [element("thead", {}, [element("tr", {}, head)]), element("tbody", {}, body)];
  return element("div", { class: "scroll" }, [element("table", attributes, table)]);
}

/** The button stays hidden on a page without {@link COPY_SCRIPT}. */
export function commandBlock(command: string): XmlElement {
  const copy = element("button", { type: "button", hidden: true }, ["Copy"]);
  return element("div", { class: "command" }, [element("pre", {}, [command]), copy]);
}

const COPY_TEXT = `
(() => {
  "use strict";
  const copied = async (block) => {
    try {
      await navigator.clipboard.writeText(block.textContent);
      return true;
    } catch {
      getSelection().selectAllChildren(block);
      return document.execCommand("copy");
    }
  };
  for (const button of document.querySelectorAll(".command button")) {
    // Without scripts the button would do nothing.
    button.hidden = false;
    button.addEventListener("click", async () => {
      button.textContent = await copied(button.previousElementSibling) ? "Copied" : "Press Ctrl+C";
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
  }
})();
`;

export const COPY_SCRIPT: PageScript = { text: COPY_TEXT, sha256: "+tkzqNJTovfr0Rp0dYYuIrSXX+LMz4KCPwjss6GtAoE=" };

const COLORS = `:root {
  color-scheme: light dark;
${variables(PALETTES.light)}
}
${DARK_SCREEN} {
  :root {
${variables(PALETTES.dark)}
  }
}
@media print {
  :root { color-scheme: light; }
}
`;

function variables(palette: Palette): string {
  return Object.entries(palette)
    .map(([name, color]) => `    --${name}: ${color};`)
    .join("\n");
}

const STYLES = `* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
main { max-width: 72rem; margin: 0 auto; padding: 2rem 1.5rem 3rem; }
h1, h2, h3 { line-height: 1.25; margin: 2rem 0 0.5rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin-top: 0; }
h2 { font-size: 1.25rem; }
h3 { font-size: 1rem; }
p { margin: 0.5rem 0; overflow-wrap: anywhere; }
.quiet { color: var(--quiet); }
.good { color: var(--good); }
.uneasy { color: var(--uneasy); }
.bad { color: var(--bad); }
.scroll {
  overflow-x: auto; margin: 1rem 0;
  background: linear-gradient(to left, var(--paper) 40%, transparent) right / 2.5rem 100% no-repeat local,
    linear-gradient(to left, var(--line), transparent) right / 0.75rem 100% no-repeat scroll;
}
svg { max-width: 100%; height: auto; }
code, kbd { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Noto Sans Mono", monospace; font-size: 0.9em; }
pre {
  margin: 0.5rem 0; padding: 0.6rem 0.8rem; white-space: pre-wrap; overflow-wrap: anywhere;
  background: var(--panel); border-radius: 6px;
  font: 0.85rem/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, "Noto Sans Mono", monospace;
}
.command { display: flex; gap: 0.5rem; align-items: flex-start; margin: 0.5rem 0; }
.command pre { flex: 1; margin: 0; }
.command button {
  flex: none; min-width: 4.5rem; padding: 0.45rem 0.6rem; font: inherit; font-size: 0.85rem; cursor: pointer;
  color: var(--ink); background: var(--panel); border: 1px solid var(--line); border-radius: 6px;
}
.command button[hidden] { display: none; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 1rem 0.4rem 0; border-bottom: 1px solid var(--line); }
thead th { color: var(--quiet); font-size: 0.8rem; font-weight: 600; white-space: nowrap; }
tbody th { font-weight: 600; }
@media (max-width: 49rem) {
  figure::after {
    content: "Wider than the screen: scroll sideways"; position: sticky; left: 0;
    display: block; width: max-content; padding: 0.25rem 0.75rem; color: var(--quiet); font-size: 0.8rem;
  }
}
@media print {
  figure::after { display: none; }
  .scroll { background: none; }
  main { max-width: none; padding: 0; }
  .command button { display: none; }
  section, tr, figure { break-inside: avoid; }
}
`;
