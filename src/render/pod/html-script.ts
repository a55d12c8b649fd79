import type { PageScript } from "../page/html-page.ts";

const TEXT = `
(() => {
  "use strict";
  const openedMs = Date.now();

  const joined = (parts) => parts.filter(([count]) => count > 0).map(([count, unit]) => count + unit).join("");

  const duration = (ms) => {
    const seconds = Math.round(ms / 1000);
    return joined([[Math.floor(seconds / 3600), "h"], [Math.floor(seconds / 60) % 60, "m"], [seconds % 60, "s"]]) || "0s";
  };

  const words = (fromMs, toMs) => {
    const from = Math.max(0, Math.floor(fromMs / 1000)) * 1000;
    const to = Math.max(from, Math.ceil(toMs / 1000) * 1000);
    if (to === 0) return "now";
    if (from === 0) return "within " + duration(to);
    return from === to ? "in " + duration(from) : "in " + duration(from) + "-" + duration(to);
  };

  // An age as kubectl prints it.
  const age = (seconds) => {
    const [minutes, hours, days] = [60, 3600, 86400].map((unit) => Math.floor(seconds / unit));
    if (minutes < 10) return joined([[minutes, "m"], [seconds % 60, "s"]]) || "0s";
    if (minutes < 180) return minutes + "m";
    if (hours < 8) return joined([[hours, "h"], [minutes % 60, "m"]]);
    if (hours < 48) return hours + "h";
    return days < 8 ? joined([[days, "d"], [hours % 24, "h"]]) : days + "d";
  };

  const SECONDS = { d: 86400, h: 3600, m: 60, s: 1 };
  const secondsIn = (text) =>
    [...text.matchAll(/(\\d+)([dhms])/g)].reduce((sum, [, count, unit]) => sum + count * SECONDS[unit], 0);
  const AGE = /(?<=[Oo]verdue by )(\\d+[dhms])+\\b|\\b(\\d+[dhms])+(?= ago\\b)/g;

  const replaced = (text, from, to) => {
    const at = text.indexOf(from);
    const isWhole = !/[\\w-]/.test((text[at - 1] ?? " ") + (text[at + from.length] ?? " "));
    return at === -1 || !isWhole ? null : text.slice(0, at) + to + text.slice(at + from.length);
  };
  const withoutIn = (phrase) => phrase.replace(/^in /, "");

  const textsOf = (pod) => {
    const texts = [];
    const walker = document.createTreeWalker(pod, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (node.parentElement.closest("pre, style, title, desc, [data-countdown]") === null) texts.push([node, node.data]);
    }
    return texts;
  };

  // All that a page says of the time goes along with its countdowns. When a window has ended, what has followed is
  // unknown: then the page says again what it said at first, and as of when.
  const pods = [...document.querySelectorAll(".pod[data-at]")].map((pod) => ({
    pod,
    texts: textsOf(pod),
    boxes: [...pod.querySelectorAll("[data-countdown]")].map((box) => {
      const shown = box.querySelector("[data-shown]");
      return { box, shown, first: shown.textContent };
    }),
  }));
  const title = document.title;

  const tick = () => {
    const clockMs = Date.now();
    const set = (node, text) => {
      if (node.textContent !== text) node.textContent = text;
    };
    for (const { pod, texts, boxes } of pods) {
      const { at, clock, then } = pod.dataset;
      const nowMs = clock === "real" ? Math.max(Number(at), clockMs) : Number(at) + clockMs - openedMs;
      const passedSeconds = Math.floor((nowMs - Number(at)) / 1000);
      const phrases = boxes.map(({ box, shown, first }) => {
        const { from, to, passed } = box.dataset;
        const isOver = nowMs > Number(to);
        const wholeMs = Math.floor(nowMs / 1000) * 1000;
        const phrase = words(Number(from) - wholeMs, Number(to) - wholeMs);
        set(shown, isOver ? passed : phrase);
        box.classList.toggle("over", isOver);
        return { isOver, first, phrase };
      });
      const isOver = phrases.some((phrase) => phrase.isOver);
      for (const [node, text] of texts) {
        let now = text;
        if (!isOver) {
          for (const { first, phrase } of phrases)
            now = replaced(now, first, phrase) ?? replaced(now, withoutIn(first), withoutIn(phrase)) ?? now;
          now = now.replace(AGE, (each) => age(secondsIn(each) + passedSeconds));
        } else if (node.parentElement === pod.firstElementChild) now = then + now;
        if (passedSeconds > 1) now = now.replace(/^now (?=\\d)/, "as of ");
        set(node, now);
      }
      if (pods.length === 1) set(document.querySelector("title"), isOver ? then + title : title);
    }
  };
  tick();
  setInterval(tick, 250);

  for (const picture of document.querySelectorAll("figure:has(.now)")) {
    const [now, frame] = [picture.querySelector(".now"), picture].map((each) => each.getBoundingClientRect());
    picture.scrollLeft += now.left - frame.left - frame.width / 2;
  }
})();
`;

/** Sets text, not HTML, because names may come from a cluster. */
export const LIVE_SCRIPT: PageScript = { text: TEXT, sha256: "jnAJBb0qQgqrU4VZ7lJXS2coicl3veuPZ+4PMsiSe6Y=" };

/**
 * "real": now is the time of the browser's clock, but not before the explained moment. "chosen": now is the explained
 * moment plus the time since the page opened.
 */
export type ClockKind = "real" | "chosen";
