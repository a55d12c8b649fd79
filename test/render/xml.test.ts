import { describe, expect, it } from "vitest";
import { element, toHtml, toXml } from "../../src/render/page/xml.ts";
import { filesBelow, withoutComments } from "../support/source-text.ts";

describe("toXml()", () => {
  it("indents elements, and leaves the white space around text alone", () => {
    const picture = element("g", { id: "a" }, [
      element("rect", { x: 1.005, y: 1 / 3 }),
      element("text", {}, ["a ", element("tspan", { dy: 2 }, ["b"]), " c"]),
    ]);
    expect(toXml(picture)).toBe(
      '<g id="a">\n  <rect x="1" y="0.33"/>\n  <text>a <tspan dy="2">b</tspan> c</text>\n</g>\n',
    );
  });

  it.each([
    { text: "<script>&\"'", says: "&lt;script&gt;&amp;\"'", why: "markup" },
    { text: "]]>", says: "]]&gt;", why: "the end of CDATA" },
    { text: "a\u0000b\u001bc\u007fd\u009fe\ufffff\ufffeg", says: "abcdefg", why: "characters that XML does not allow" },
    { text: "a\ud800b", says: "a\ufffdb", why: "half of a surrogate pair" },
    { text: "a\tb\n猫😀", says: "a\tb\n猫😀", why: "everything else" },
  ])("escapes text with $why", ({ text, says }) => {
    expect(toXml(element("p", {}, [text]))).toBe(`<p>${says}</p>\n`);
  });

  it("escapes attributes so that none of them ends early or loses a line break", () => {
    expect(toXml(element("p", { title: "a\"b'c<d>&e\nf\u0007" }))).toBe(
      '<p title="a&quot;b&#39;c&lt;d&gt;&amp;e&#10;f"/>\n',
    );
  });

  it("leaves out what is undefined or false, and never writes a negative zero", () => {
    expect(toXml(element("p", { a: undefined, b: false, c: true, d: -0.001, e: "" }))).toBe('<p c="" d="0" e=""/>\n');
  });

  it("writes NaN as it is, because 0 would look like a result", () => {
    expect(toXml(element("p", { x: Number.NaN }))).toBe('<p x="NaN"/>\n');
  });
});

describe("toHtml()", () => {
  it("closes every element except those that have no end tag", () => {
    expect(toHtml(element("div", {}, [element("br"), element("p"), element("svg", {}, [element("rect")])]))).toBe(
      "<!DOCTYPE html>\n<div>\n  <br>\n  <p></p>\n  <svg>\n    <rect/>\n  </svg>\n</div>\n",
    );
  });

  it("leaves scripts and styles as they are, but does not let them end early", () => {
    const script = "if (a < b && c) x = '</script><!--';";
    expect(toHtml(element("script", {}, [script]))).toBe(
      "<!DOCTYPE html>\n<script>if (a < b && c) x = '<\\/script><\\!--';</script>\n",
    );
    expect(toHtml(element("svg", {}, [element("style", {}, ["a > b {}"])]))).toContain("a &gt; b {}");
  });
});

describe("the sources", () => {
  it("write markup in one place", () => {
    // kubectl's placeholders, such as <none>, are not markup.
    const markup = /["'`>]<(?!none>|invalid>|unknown>)[a-z/!]/i;
    const writers = filesBelow("src", /\.ts$/).filter(({ text }) => markup.test(withoutComments(text)));
    expect(writers.map(({ path }) => path)).toEqual(["src/render/page/xml.ts"]);
  });
});
