import type { Explanation } from "../explain/answer/explanation.ts";
import type { RenderOptions } from "./page/page.ts";

/** The values of `-o` for an explanation: when each form prints logs, and whether it prints the answer to --what-if. */
export const FORMS = {
  table: { logs: "by-default", hasWhatIf: true },
  wide: { logs: "by-default", hasWhatIf: true },
  json: { logs: "on-request", hasWhatIf: true },
  yaml: { logs: "on-request", hasWhatIf: true },
  svg: { logs: "never", hasWhatIf: false },
  html: { logs: "by-default", hasWhatIf: false },
  md: { logs: "by-default", hasWhatIf: false },
  name: { logs: "never", hasWhatIf: false },
} as const;

export type Form = keyof typeof FORMS;

export const FORM_NAMES = Object.keys(FORMS) as [Form, ...Form[]];

/** Returns a text that ends with a newline. Without pods, the text is empty, except in JSON and YAML. */
export type Renderer = (explanation: Explanation, options: RenderOptions) => string;
