/** An element of an SVG picture or an HTML page. Made with {@link element}; only {@link toXml} and {@link toHtml} turn it into text. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Attributes;
  readonly children: readonly XmlChild[];
}

/** What an element holds: other elements, and text that is shown as it is, whatever is in it. */
export type XmlChild = XmlElement | string;

/**
 * By name. Numbers are rounded to hundredths; true is an attribute without a value; false and undefined leave it out. A name
 * never comes from a cluster.
 */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** An element: `element("text", { x, y }, ["…"])`. */
export function element(name: string, attributes: Attributes = {}, children: readonly XmlChild[] = []): XmlElement {
  return { name, attributes, children };
}

/** Parts of a picture that say more when they are pointed at. */
export function item(title: string, parts: readonly XmlElement[]): XmlElement {
  return element("g", { class: "item" }, [element("title", {}, [title]), ...parts]);
}

export function toXml(root: XmlElement): string {
  return `${writeElement(root, false, "")}\n`;
}

/** The element as an HTML document, indented, with a newline at its end. */
export function toHtml(root: XmlElement): string {
  return `<!DOCTYPE html>\n${writeElement(root, true, "")}\n`;
}

/** HTML's elements without an end tag, as far as they are used here. */
const VOID = new Set(["br", "col", "hr", "img", "input", "link", "meta", "wbr"]);

/** HTML reads their content up to their end tag, and knows no entities in it. */
const RAW = new Set(["script", "style"]);

/** Without an `indent`, all is on one line. */
function writeElement({ name, attributes, children }: XmlElement, isHtml: boolean, indent: string | null): string {
  const start = `<${name}${writeAttributes(attributes)}`;
  // Inside <svg> a page is read like XML, with entities in its <style>.
  const isHtmlInside = isHtml && name !== "svg";
  if (children.length > 0) return `${start}>${writeChildren(name, children, isHtmlInside, indent)}</${name}>`;
  if (!isHtmlInside) return `${start}/>`;
  return VOID.has(name) ? `${start}>` : `${start}></${name}>`;
}

/** White space counts beside text, so only elements among themselves get lines of their own. */
function writeChildren(name: string, children: readonly XmlChild[], isHtml: boolean, indent: string | null): string {
  if (isHtml && RAW.has(name)) return children.map(rawText).join("");
  const deeper = indent === null || children.some((child) => typeof child === "string") ? null : `${indent}  `;
  const texts = children.map((child) =>
    typeof child === "string" ? escapeText(child) : writeElement(child, isHtml, deeper),
  );
  return deeper === null ? texts.join("") : `\n${texts.map((text) => deeper + text).join("\n")}\n${indent}`;
}

/** The backslashes change neither a string of JavaScript or CSS nor a regular expression, and end nothing early. */
function rawText(child: XmlChild): string {
  return allowed(typeof child === "string" ? child : "")
    .replaceAll("</", "<\\/")
    .replaceAll("<!--", "<\\!--");
}

function writeAttributes(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => {
      if (value === undefined || value === false) return "";
      return value === true ? ` ${name}=""` : ` ${name}="${escapeAttribute(spell(value))}"`;
    })
    .join("");
}

function spell(value: string | number): string {
  return typeof value === "string" ? value : `${Math.round(value * 100) / 100 || 0}`;
}

function escapeText(text: string): string {
  return allowed(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function escapeAttribute(text: string): string {
  return escapeText(text)
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")
    .replace(/[\t\n\r]/g, (blank) => `&#${blank.charCodeAt(0)};`);
}

/** Everything that XML 1.0 does not allow, not even as an entity (§2.2 Char), and C1's controls, which nobody can see. */
const FORBIDDEN = /[^\t\n\r\x20-\x7e\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function allowed(text: string): string {
  return text.toWellFormed().replace(FORBIDDEN, "");
}
