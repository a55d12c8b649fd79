import type { Explanation } from "../explain/answer/explanation.ts";
import type { RenderOptions } from "./page/page.ts";

/** The values of `-o` for an explanation: when each form prints logs. */
export const FORMS = {
  table: { logs: "by-default" },
  wide: { logs: "by-default" },
  json: { logs: "on-request" },
  yaml: { logs: "on-request" },
  svg: { logs: "never" },
  html: { logs: "by-default" },
  md: { logs: "by-default" },
  name: { logs: "never" },
} as const;

export type Form = keyof typeof FORMS;

export const FORM_NAMES = Object.keys(FORMS) as [Form, ...Form[]];

/** Returns a text that ends with a newline. Without pods, the text is empty, except in JSON and YAML. */
export type Renderer = (explanation: Explanation, options: RenderOptions) => string;
