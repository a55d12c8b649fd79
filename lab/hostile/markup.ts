/** What the pictures and pages are made of; an element of any other name comes from a cluster. */
const ELEMENTS = new Set(
  (
    "svg title desc defs pattern path g rect text tspan line circle polyline polygon style clipPath marker use " +
    "html head meta body main section h1 h2 h3 p div span table thead tbody tr th td figure figcaption ol ul li dl dt dd " +
    "footer header script code kbd strong em time details summary a br pre"
  ).split(" "),
);

const VOID = new Set(["meta", "br"]);

const TAG = /<(?<close>\/?)(?<name>[A-Za-z][\w-]*)(?<attributes>(?:\s+[\w:-]+="[^"<]*")*)\s*(?<empty>\/?)>/y;
const ENTITY = /&(?!(?:amp|lt|gt|quot|#39|#\d+);)/;
const HANDLER = /\son\w+=|(?:href|src)="(?!#)/i;

/** What is wrong with an SVG (as XML) or with a page: elements that do not nest, and what a cluster could have put there. */
export function markupFaults(form: "svg" | "html", text: string): string[] {
  const faults: string[] = [];
  const open: string[] = [];
  let index = form === "html" ? "<!DOCTYPE html>\n".length : 0;
  while (index < text.length) {
    const raw = form === "html" && (open.at(-1) === "script" || (open.at(-1) === "style" && !open.includes("svg")));
    const next = raw ? text.indexOf(`</${open.at(-1)}>`, index) : text.indexOf("<", index);
    const words = text.slice(index, next === -1 ? text.length : next);
    if (!raw && (words.includes(">") || ENTITY.test(words)))
      faults.push(`${form}: unescaped text ${words.slice(0, 60)}`);
    if (next === -1) break;
    TAG.lastIndex = next;
    const tag = TAG.exec(text)?.groups;
    if (tag === undefined) return [...faults, `${form}: no tag at ${text.slice(next, next + 60)}`];
    faults.push(...tagFaults(form, tag, open));
    index = TAG.lastIndex;
  }
  return open.length > 0 ? [...faults, `${form}: ${open.join(" ")} not closed`] : faults;
}

function tagFaults(form: string, tag: Record<string, string>, open: string[]): string[] {
  const { close, name = "", attributes = "", empty } = tag;
  if (close === "/") return open.pop() === name ? [] : [`${form}: </${name}> closes nothing`];
  if (empty !== "/" && !(form === "html" && VOID.has(name))) open.push(name);
  return [
    ...(ELEMENTS.has(name) ? [] : [`${form}: an element <${name}>`]),
    ...(HANDLER.test(attributes) ? [`${form}: an attribute in ${attributes.slice(0, 80)}`] : []),
    ...(ENTITY.test(attributes) ? [`${form}: unescaped attribute ${attributes.slice(0, 80)}`] : []),
  ];
}
