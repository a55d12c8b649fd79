import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hostilePod } from "../../lab/hostile/hostile-pod.ts";
import type { Explanation } from "../../src/explain/answer/explanation.ts";
import { renderCatchPage } from "../../src/render/catch/catch-page.ts";
import { HAS_BROWSER, launchBrowser, open, type Reader, SKIPPED } from "../support/browser.ts";
import { aCatch, explanationOf } from "../support/catches.ts";
import { atClock } from "../support/explanations.ts";
import { HOSTILE, hostile } from "../support/hostile-situations.ts";
import { longLoop } from "../support/long-situations.ts";
import { RENDER_OPTIONS } from "../support/page.ts";
import { RENDERERS } from "../support/renderers.ts";
import { SITUATIONS } from "../support/situations.ts";

const DOWN = SITUATIONS["shown-as-error"] as Explanation;
const UP = SITUATIONS["up-after-crashes"] as Explanation;

describe.skipIf(!HAS_BROWSER)(`a page in a real browser${SKIPPED}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  }, 30_000);
  afterAll(() => browser?.close());

  const openPage = (each: Explanation, reader?: Reader) =>
    open(browser, "page.html", RENDERERS.html(each, RENDER_OPTIONS), reader);

  it.each([
    ...["shown-as-error", "many-pods", "wide-characters"].map((name) => [name, SITUATIONS[name]] as const),
    ["long-loop", longLoop()] as const,
    ["hostile", hostile()] as const,
  ])("logs no error and sends no request: %s", async (_, each) => {
    const { page, complaints, requests } = await openPage(each as Explanation);
    await page.waitForTimeout(300);
    expect(complaints).toEqual([]);
    expect(requests).toEqual([]);
  });

  it("runs no script, loads no picture and changes no title for a name in the cluster", async () => {
    const { page, complaints } = await openPage(hostile());
    expect(await page.title()).not.toBe("owned");
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.locator("script").count()).toBe(2);
    expect(await page.locator("th[scope=row]").textContent()).toContain("<img src=x onerror=alert(1)>");
    expect(await page.locator(".item title").first().textContent()).toContain("<script>");
    expect(await page.locator(".item title *").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("runs and loads nothing of a pod's hostile values in the API", async () => {
    const { page, complaints, requests } = await openPage(await hostilePod());
    expect(await page.title()).not.toBe("owned");
    expect(await page.locator("img, iframe, object, embed, form, link, base").count()).toBe(0);
    expect(await page.locator("script").count()).toBe(2);
    expect(await page.locator("[onerror], [onload], [onclick], [href], [src]").count()).toBe(0);
    expect([...complaints, ...requests]).toEqual([]);
  });

  it.each([
    ["ordinary", aCatch()],
    ["hostile", aCatch(() => HOSTILE)],
  ])("shows a catch with its data, and runs no text in it as a script: %s", async (_, made) => {
    const html = renderCatchPage({ ...made, explanation: await explanationOf(made) }, RENDER_OPTIONS);
    const { page, complaints, requests } = await open(browser, "catch.html", html);
    await page.waitForTimeout(200);
    expect(await page.title()).not.toBe("owned");
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.locator(".happened .log").count()).toBe(2);
    const kind = "JSON.parse(document.getElementById('catch').textContent).kind";
    expect(await page.evaluate(kind)).toBe("Catch");
    expect([...complaints, ...requests]).toEqual([]);
  });

  it("runs no script but its own, even with another one in the page", async () => {
    const intruder = "<script>document.title = 'owned'</script><img src=x onerror=\"document.title = 'owned'\">";
    const html = RENDERERS.html(DOWN, RENDER_OPTIONS).replace("</main>", `</main>${intruder}`);
    const { page, complaints } = await open(browser, "page.html", html);
    await page.waitForTimeout(200);
    expect(await page.title()).not.toBe("owned");
    expect(complaints.filter((each) => each.includes("Content Security Policy")).length).toBeGreaterThanOrEqual(2);
    expect(await page.locator("[data-shown]").textContent()).toMatch(/^(in|within|This window ended)/);
  });

  it("lets no script load anything from outside of the file", async () => {
    const { page, requests } = await openPage(DOWN);
    const outcome = await page.evaluate(`fetch("https://example.org/").then(() => "loaded", (error) => error.name)`);
    expect(outcome).toBe("TypeError");
    expect(requests).toEqual([]);
  });

  describe("the countdown", () => {
    it("counts down without input", async () => {
      const { page } = await openPage({ ...DOWN, atBasis: "flag" });
      const shown = page.locator("[data-shown]");
      const first = await shown.textContent();
      expect(first).toMatch(/^in 2m1[78]s-2m4[78]s$/);
      await expect.poll(() => shown.textContent(), { timeout: 45_000 }).not.toBe(first);
    });

    it.each([
      { nowMs: DOWN.atMs, says: "in 2m18s-2m48s", why: "at the moment of the explanation" },
      { nowMs: DOWN.atMs - 60_000, says: "in 2m18s-2m48s", why: "with a clock that is behind" },
      { nowMs: DOWN.atMs + 60_000, says: "in 1m18s-1m48s", why: "a minute later" },
      { nowMs: atClock("13:42:40"), says: "within 18s", why: "within the window" },
      { nowMs: atClock("13:45:00"), says: "This window ended at 14:42:58 GMT+1.", why: "after the end of the window" },
    ])("says $why: $says", async ({ nowMs, says }) => {
      const { page } = await openPage(DOWN, { nowMs });
      expect(await page.locator("[data-shown]").textContent()).toContain(says);
    });

    it("says that the window has passed as soon as it has", async () => {
      const { page } = await openPage(DOWN, { nowMs: atClock("13:42:50") });
      expect(await page.locator(".countdown.over").count()).toBe(0);
      await page.clock.runFor(10_000);
      expect(await page.locator(".countdown.over").textContent()).toContain("Run kubectl backoff again");
    });

    it("counts down from the moment at which the page is opened if the user chose the time, whatever the clock shows", async () => {
      const { page } = await openPage({ ...DOWN, atBasis: "newest-input" }, { nowMs: atClock("20:00:00") });
      expect(await page.locator("[data-shown]").textContent()).toBe("in 2m18s-2m48s");
      await page.clock.runFor(100_000);
      expect(await page.locator("[data-shown]").textContent()).toBe("in 38s-1m8s");
    });

    it("shows the three soonest of five, and says that 2 more are in the table", async () => {
      const [pod] = DOWN.pods;
      const containers = Array.from({ length: 5 }, (_, index) => ({ ...pod?.containers[0], name: `app-${index}` }));
      const { page } = await openPage({ ...DOWN, pods: [{ ...pod, containers }] } as Explanation);
      expect(await page.locator("[data-countdown]").count()).toBe(3);
      expect(await page.getByText("2 more are in the table.").count()).toBe(1);
    });

    it("counts to a reset, too", async () => {
      const { page } = await openPage(UP, { nowMs: UP.atMs });
      expect(await page.locator(".countdown.reset [data-shown]").textContent()).toBe("in 5m7s");
    });
  });

  it("shows on a phone what is next, and every cell of the table", async () => {
    const { page } = await openPage(DOWN, { width: 400 });
    expect(await page.evaluate("document.querySelector('figure').scrollLeft")).toBeGreaterThan(200);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(400);
    expect(await page.evaluate("document.querySelector('.scroll').scrollWidth")).toBeLessThanOrEqual(400);
  });

  it("shows tooltips for runs and waits", async () => {
    const { page } = await openPage(DOWN);
    const titles = await page.locator(".item:has(.run, .wait) title").allTextContents();
    expect(titles).toContainEqual(
      expect.stringMatching(/^app, restart \d\. 14:39:43-14:39:48 GMT\+1 \(5s\): exited with code 1\.$/),
    );
    expect(titles).toContainEqual(expect.stringMatching(/^Not observed\. A wait of /));
  });

  it("is light or dark like the reader's system, and always light on paper", async () => {
    const colors = `["body", ".timeline .paper"].map((each) => {
      const style = getComputedStyle(document.querySelector(each));
      return each === "body" ? style.backgroundColor : style.fill;
    })`;
    const [white, black] = ["rgb(255, 255, 255)", "rgb(13, 17, 23)"];
    const { page } = await openPage(DOWN, { colorScheme: "light" });
    expect(await page.evaluate(colors)).toEqual([white, white]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await page.evaluate(colors)).toEqual([black, black]);
    await page.emulateMedia({ colorScheme: "dark", media: "print" });
    expect(await page.evaluate(colors)).toEqual([white, white]);
  });

  it("needs no sideways scrolling on a narrow screen", async () => {
    const { page } = await openPage(SITUATIONS["many-containers"] as Explanation);
    await page.setViewportSize({ width: 360, height: 640 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  });

  it.each([["shown-as-error", DOWN] as const, ["long-loop", longLoop()] as const, ["hostile", hostile()] as const])(
    "shows the picture of %s as a file of its own, every text inside it",
    async (_, each) => {
      const { page, complaints, requests } = await open(browser, "picture.svg", RENDERERS.svg(each, RENDER_OPTIONS));
      expect(await page.evaluate("document.documentElement.nodeName")).toBe("svg");
      expect(await page.locator("parsererror").count()).toBe(0);
      const outside = await page.evaluate(`[...document.querySelectorAll("text")].filter((each) => {
        const { left, right, bottom } = each.getBoundingClientRect();
        return left < 0 || right > 960 || bottom > document.documentElement.height.baseVal.value;
      }).map((each) => each.textContent)`);
      expect(outside).toEqual([]);
      expect([...complaints, ...requests]).toEqual([]);
    },
  );
});
