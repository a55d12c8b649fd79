import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Explanation } from "../../src/explain/answer/explanation.ts";
import { HAS_BROWSER, launchBrowser, open, type Reader, SKIPPED } from "../support/browser.ts";
import { atClock } from "../support/explanations.ts";
import { RENDER_OPTIONS } from "../support/page.ts";
import { RENDERERS } from "../support/renderers.ts";
import { SITUATIONS } from "../support/situations.ts";

const COMMAND = "kubectl backoff wait 'cart' -n shop --for=restart && kubectl logs -f cart -n shop -c app --timestamps";
const { pods, ...MOMENT } = SITUATIONS["shown-as-error"] as Explanation;
const nextSteps = [{ what: "see it restart", command: COMMAND, changesCluster: false, note: null }];
const DOWN: Explanation = { ...MOMENT, pods: pods.map((pod) => ({ ...pod, nextSteps })) };
const HEADLINE = 'shop/cart-6649d49b6c-x2x7p: app is in CrashLoopBackOff (kubectl shows "Error").';

describe.skipIf(!HAS_BROWSER)(`the page as time passes${SKIPPED}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  }, 30_000);
  afterAll(() => browser?.close());

  const openPage = async (reader?: Reader) =>
    (await open(browser, "page.html", RENDERERS.html(DOWN, RENDER_OPTIONS), reader)).page;
  const said = (page: Awaited<ReturnType<typeof openPage>>) => ({
    title: page.title(),
    heading: page.locator("h1").textContent(),
    lead: page.locator(".lead").textContent(),
    box: page.locator("[data-shown]").textContent(),
    cell: page.locator("[data-label='Next start']").textContent(),
    exit: page.locator("[data-label='Last exit']").textContent(),
    picture: page.locator(".timeline .uneasy.strong").textContent(),
    now: page.locator(".timeline .accent").textContent(),
  });
  const all = async <T extends object>(of: T) =>
    Object.fromEntries(await Promise.all(Object.entries(of).map(async ([name, value]) => [name, await value])));

  it("says the same window everywhere a minute after the explanation", async () => {
    const page = await openPage({ nowMs: DOWN.atMs + 60_000 });
    expect(await all(said(page))).toMatchObject({
      title: HEADLINE,
      heading: HEADLINE,
      lead: expect.stringMatching(/^Restarts in 1m18s-1m48s \(14:42:28-14:42:58/),
      box: "in 1m18s-1m48s",
      cell: "1m18s-1m48s",
      exit: "1 (ran 5s), 1m22s ago",
      picture: "restart in 1m18s-1m48s",
      now: "as of 14:40:10",
    });
  });

  it("adds the time of the explanation once a window has ended, because it does not know what followed", async () => {
    const page = await openPage({ nowMs: atClock("13:45:00") });
    const then = `As of 14:40:10 GMT+1, ${HEADLINE}`;
    expect(await all(said(page))).toMatchObject({
      title: then,
      heading: then,
      lead: expect.stringContaining("in 2m18s-2m48s"),
      box: expect.stringContaining("This window ended at 14:42:58"),
      cell: "2m18s-2m48s",
      exit: "1 (ran 5s), 22s ago",
      now: "as of 14:40:10",
    });
    expect(await page.locator(":is(h1, h2, h3):has-text('As of')").count()).toBe(1);
  });

  it("puts the time of day into the title of several pods, which does not count down", async () => {
    const html = RENDERERS.html(SITUATIONS["many-pods"] as Explanation, RENDER_OPTIONS);
    const { page } = await open(browser, "page.html", html);
    expect(await page.title()).toMatch(/First to restart: .*, at \d\d:\d\d:\d\d-\d\d:\d\d:\d\d GMT\+1\.$/);
  });

  it("copies a command as the user types it, and says so", async () => {
    const page = await openPage();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const step = page.locator(".command").first();
    await step.locator("button").click();
    await expect.poll(() => step.locator("button").textContent()).toBe("Copied");
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(COMMAND);
  });

  it("shows each command whole, however narrow the screen", async () => {
    const page = await openPage({ width: 360 });
    const room = `(() => {
      const { scrollWidth, clientWidth } = document.querySelector(".command pre");
      return clientWidth - scrollWidth;
    })()`;
    expect(await page.evaluate(room)).toBe(0);
  });

  it.each([360, 500])("opens the picture at now on a screen of %i pixels, and says that it is wider", async (width) => {
    const page = await openPage({ width });
    const place = `(() => {
      const [now, frame] = [".now", "figure"].map((each) => document.querySelector(each).getBoundingClientRect());
      return (now.left - frame.left) / frame.width;
    })()`;
    const share = (await page.evaluate(place)) as number;
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.8);
    const cue = await page.evaluate(`getComputedStyle(document.querySelector("figure"), "::after").content`);
    expect(cue).toContain("scroll sideways");
  });

  it("shows the cause and the log above the fold of a laptop", async () => {
    const page = await openPage();
    await page.setViewportSize({ width: 1100, height: 700 });
    const bottoms = `["dl", ".countdown"].map((each) => document.querySelector(each).getBoundingClientRect().bottom)`;
    for (const bottom of (await page.evaluate(bottoms)) as number[]) expect(bottom).toBeLessThan(700);
  });
});
