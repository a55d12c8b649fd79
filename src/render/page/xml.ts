export interface XmlElement {
  readonly name: string;
  readonly attributes: Attributes;
  readonly children: readonly XmlChild[];
}

/** A string is text that is not escaped yet. */
export type XmlChild = XmlElement | string;

/** Names of attributes must not come from a cluster, because they are not escaped. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export function element(name: string, attributes: Attributes = {}, children: readonly XmlChild[] = []): XmlElement {
  return { name, attributes, children };
}

export function withTooltip(title: string, parts: readonly XmlElement[]): XmlElement {
  return element("g", { class: "item" }, [element("title", {}, [title]), ...parts]);
}

export function toXml(root: XmlElement): string {
  return `${writeElement(root, false, "")}\n`;
}

export function toHtml(root: XmlElement): string {
  return `<!DOCTYPE html>\n${writeElement(root, true, "")}\n`;
}

const VOID = new Set(["br", "col", "hr", "img", "input", "link", "meta", "wbr"]);

/** In these elements of HTML, a browser reads no entities. */
const RAW = new Set(["script", "style"]);

function writeElement({ name, attributes, children }: XmlElement, isHtml: boolean, indent: string | null): string {
  const start = `<${name}${writeAttributes(attributes)}`;
  // Inside <svg>, a browser reads entities in <style> and accepts "/>".
  const isHtmlInside = isHtml && name !== "svg";
  if (children.length > 0) return `${start}>${writeChildren(name, children, isHtmlInside, indent)}</${name}>`;
  if (!isHtmlInside) return `${start}/>`;
  return VOID.has(name) ? `${start}>` : `${start}></${name}>`;
}

/** Does not indent beside text, where white space could be visible. */
function writeChildren(name: string, children: readonly XmlChild[], isHtml: boolean, indent: string | null): string {
  if (isHtml && RAW.has(name)) return children.map(rawText).join("");
  const deeper = indent === null || children.some((child) => typeof child === "string") ? null : `${indent}  `;
  const texts = children.map((child) =>
    typeof child === "string" ? escapeText(child) : writeElement(child, isHtml, deeper),
  );
  return deeper === null ? texts.join("") : `\n${texts.map((text) => deeper + text).join("\n")}\n${indent}`;
}

/**
 * "</" could end the script, and "<!--" could extend it. In a string literal of a script, the added backslash changes
 * nothing.
 */
function rawText(child: XmlChild): string {
  return allowed(typeof child === "string" ? child : "")
    .replaceAll("</", "<\\/")
    .replaceAll("<!--", "<\\!--");
}

function writeAttributes(attributes: Attributes): string {
  const written = Object.entries(attributes).map(([name, value]) => {
    if (value === undefined || value === false) return "";
    const text = typeof value === "number" ? `${Math.round(value * 100) / 100}` : value === true ? "" : value;
    return ` ${name}="${escapeAttribute(text)}"`;
  });
  return written.join("");
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

/** Matches what XML 1.0 does not allow (§2.2, Char), and the control characters DEL and C1. */
const FORBIDDEN = /[^\t\n\r\x20-\x7e\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function allowed(text: string): string {
  return text.toWellFormed().replace(FORBIDDEN, "");
}
