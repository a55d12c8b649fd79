import type { PageScript } from "./html-page.ts";

const TEXT = `
(() => {
  "use strict";
  const openedMs = Date.now();

  const duration = (ms) => {
    const seconds = Math.round(ms / 1000);
    const parts = [[Math.floor(seconds / 3600), "h"], [Math.floor(seconds / 60) % 60, "m"], [seconds % 60, "s"]];
    return parts.filter(([count]) => count > 0).map(([count, unit]) => count + unit).join("") || "0s";
  };

  const words = (fromMs, toMs) => {
    const from = Math.max(0, Math.floor(fromMs / 1000)) * 1000;
    const to = Math.max(from, Math.ceil(toMs / 1000) * 1000);
    if (from === 0) return "within " + duration(to);
    return from === to ? "in " + duration(from) : "in " + duration(from) + " to " + duration(to);
  };

  const tick = () => {
    const clockMs = Date.now();
    for (const box of document.querySelectorAll("[data-countdown]")) {
      const { at, from, to, clock, passed } = box.dataset;
      const nowMs = clock === "real" ? Math.max(Number(at), clockMs) : Number(at) + clockMs - openedMs;
      const isOver = nowMs > Number(to);
      const wholeMs = Math.floor(nowMs / 1000) * 1000;
      const text = isOver ? passed : words(Number(from) - wholeMs, Number(to) - wholeMs);
      const shown = box.querySelector("[data-shown]");
      if (shown.textContent !== text) shown.textContent = text;
      box.classList.toggle("over", isOver);
    }
  };
  tick();
  setInterval(tick, 250);

  const tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  document.body.append(tip);
  for (const item of document.querySelectorAll(".timeline .item")) {
    const title = item.querySelector("title");
    if (title === null) continue;
    const text = title.textContent;
    title.remove();
    const show = (x, y) => {
      tip.textContent = text;
      tip.hidden = false;
      tip.style.left = Math.max(8, Math.min(x + 12, innerWidth - tip.offsetWidth - 8)) + "px";
      tip.style.top = (y + 20 + tip.offsetHeight > innerHeight ? y - tip.offsetHeight - 12 : y + 20) + "px";
    };
    item.addEventListener("pointermove", (event) => show(event.clientX, event.clientY));
    item.addEventListener("pointerleave", () => { tip.hidden = true; });
  }
})();
`;

/**
 * What a page of explanations does by itself: counts down, and shows what stands behind the shapes of a picture at once. It
 * only ever sets text, and all its words are in the page's `data-…` attributes.
 *
 * A box that counts has `data-countdown` with: `data-at`, the moment of the explanation; `data-from` and `data-to`, the window
 * (all in milliseconds since 1970); `data-clock`, "real" where that moment was read from a clock, "chosen" where it was not,
 * for then nothing is known but how long the page has been open; `data-passed`, what to say when the window is over.
 */
export const PAGE_SCRIPT: PageScript = { text: TEXT, sha256: "8xQHRQm8fko6Xq01VA3JQiXYeeDhC6iiom2/GWEWCoo=" };
