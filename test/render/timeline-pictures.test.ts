import { describe, expect, it } from "vitest";
import { faultsOfOutput } from "../../lab/hostile/laws.ts";
import type { Explanation } from "../../src/explain/answer/explanation.ts";
import { HOSTILE, hostile } from "../support/hostile-situations.ts";
import { longLoop, quickRestarts, watchedLoop } from "../support/long-situations.ts";
import { RENDER_OPTIONS } from "../support/page.ts";
import { RENDERERS } from "../support/renderers.ts";
import { SITUATIONS } from "../support/situations.ts";

const ALL = { ...SITUATIONS, "long-loop": longLoop(), "quick-restarts": quickRestarts(), hostile: hostile() };

function situation(name: string): Explanation {
  return ALL[name as keyof typeof ALL] as Explanation;
}

describe("the picture", () => {
  it.each(Object.keys(ALL))("of %s has a description in words, and loads nothing", (name) => {
    const picture = RENDERERS.svg(situation(name), RENDER_OPTIONS);
    expect(picture).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" class="timeline" role="img"/);
    expect(picture).toMatch(/\n {2}<title>[^<]+<\/title>\n {2}<desc>As of [^<]+<\/desc>\n/);
    expect(faultsOfOutput("svg", picture)).toEqual([]);
    expect(picture).not.toMatch(/\sid=|url\(|href=|<script|<img|<foreignObject/);
  });

  it("has at most four times the size of a short history, however many runs there are", () => {
    const one = RENDERERS.svg(situation("shown-as-error"), RENDER_OPTIONS).length;
    expect(RENDERERS.svg(watchedLoop(), RENDER_OPTIONS).length).toBeLessThan(one * 3);
    expect(RENDERERS.svg(quickRestarts(), RENDER_OPTIONS).length).toBeLessThan(one * 4);
  });
});

describe("the page", () => {
  it.each(Object.keys(ALL))("of %s shows every container whose name is not hostile, and loads nothing", (name) => {
    const page = RENDERERS.html(situation(name), RENDER_OPTIONS);
    for (const { containers } of situation(name).pods) {
      if (name === "hostile") continue;
      for (const each of containers) expect(page).toContain(`<th scope="row">${each.name}`);
    }
    expect(faultsOfOutput("html", page)).toEqual([]);
    expect(page).not.toMatch(/<[^>]*\s(?:src|srcset|href|action|on\w+)=|url\(|@import/);
  });

  it("lets no text of a cluster become markup", () => {
    const page = RENDERERS.html(hostile(), RENDER_OPTIONS);
    expect(page).not.toContain(HOSTILE.slice(0, 20));
    expect(page.match(/<script>/g)).toHaveLength(2);
    expect(page.match(/<style>/g)).toHaveLength(2);
    expect(page).not.toMatch(/<img|\u202e/);
  });

  it.each([
    { atBasis: "server-clock", clock: "real", says: "Counts from 14:40:10 GMT+1 by the clock of this device." },
    { atBasis: "recording", clock: "chosen", says: "Countdown starts at 14:40:10 GMT+1." },
  ] as const)("counts by a $clock clock from a moment of $atBasis", ({ atBasis, clock, says }) => {
    const page = RENDERERS.html({ ...situation("shown-as-error"), atBasis }, RENDER_OPTIONS);
    expect(page).toContain(`data-clock="${clock}"`);
    expect(page).toContain(says);
  });
});
