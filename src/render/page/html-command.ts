import type { PageScript } from "./html-page.ts";
import { element, type XmlElement } from "./xml.ts";

/**
 * Returns a command with a button that copies it. A narrow screen breaks the command instead of cutting it. The page
 * needs {@link COPY_SCRIPT}.
 */
export function commandBlock(command: string): XmlElement {
  const copy = element("button", { type: "button", hidden: true }, ["Copy"]);
  return element("div", { class: "command" }, [element("pre", {}, [command]), copy]);
}

const TEXT = `
(() => {
  "use strict";
  const copied = async (block) => {
    try {
      await navigator.clipboard.writeText(block.textContent);
      return true;
    } catch {
      getSelection().selectAllChildren(block);
      return document.execCommand("copy");
    }
  };
  for (const button of document.querySelectorAll(".command button")) {
    // Without scripts the button would do nothing.
    button.hidden = false;
    button.addEventListener("click", async () => {
      button.textContent = await copied(button.previousElementSibling) ? "Copied" : "Press Ctrl+C";
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
  }
})();
`;

export const COPY_SCRIPT: PageScript = { text: TEXT, sha256: "+tkzqNJTovfr0Rp0dYYuIrSXX+LMz4KCPwjss6GtAoE=" };
