import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { COPY_SCRIPT, htmlPage, htmlTable } from "../../src/render/page/html-page.ts";
import { element, toHtml } from "../../src/render/page/xml.ts";
import { LIVE_SCRIPT } from "../../src/render/pod/html-script.ts";

const SCRIPT = { text: "x()", sha256: "abc=" };
const BODY = [element("h1", {}, ["Crashes & restarts"])];

describe("htmlPage()", () => {
  it("loads nothing from outside, and runs no script but the one that it is given", () => {
    const policyOf = (page: string) =>
      /Content-Security-Policy" content="(?<policy>[^"]*)"/.exec(page)?.groups?.["policy"];
    const still = policyOf(htmlPage({ title: "a", body: BODY }));
    expect(still).toContain("default-src &#39;none&#39;");
    expect(still).not.toContain("script-src");
    expect(policyOf(htmlPage({ title: "a", body: BODY, scripts: [SCRIPT] }))).toMatch(
      /; script-src &#39;sha256-abc=&#39;$/,
    );
  });

  it.each([
    ["live", LIVE_SCRIPT],
    ["copy", COPY_SCRIPT],
  ])("contains exactly the script whose hash its policy names: %s", (_, script) => {
    const page = htmlPage({ title: "a", body: BODY, scripts: [script] });
    const [, text = ""] = /<script>(.*?)<\/script>/s.exec(page) ?? [];
    expect(createHash("sha256").update(text).digest("base64")).toBe(script.sha256);
  });

  it("escapes its title and body, and appends the page's own styles", () => {
    const page = htmlPage({ title: "</title><script>", body: BODY, styles: ".own { color: red; }" });
    expect(page).toContain("<title>&lt;/title&gt;&lt;script&gt;</title>");
    expect(page).toContain("<h1>Crashes &amp; restarts</h1>");
    expect(page.indexOf(".own")).toBeGreaterThan(page.indexOf("@media print"));
  });
});

describe("htmlTable()", () => {
  it("has a heading per column, and names each row", () => {
    const html = toHtml(htmlTable(["A", "B"], [["<1>", element("b", {}, ["2"])]], { class: "c" }));
    expect(html).toContain('<table class="c">');
    expect(html).toContain('<th scope="col">B</th>');
    expect(html).toContain('<th scope="row">&lt;1&gt;</th>');
    expect(html).toContain('<td data-label="B">\n');
  });
});
