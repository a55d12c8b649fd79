import { styleText } from "node:util";

/** What a colour stands for; it never says anything that the text does not. */
export type Tone = "title" | "bad" | "uneasy" | "good" | "quiet";

const STYLES = { title: "bold", bad: "red", uneasy: "yellow", good: "green", quiet: "dim" } as const;

/** The text in its tone's colour, if colours are wanted. Whether they are is the caller's decision alone. */
export function paint(text: string, tone: Tone, color: boolean): string {
  return color && text !== "" ? styleText(STYLES[tone], text, { validateStream: false }) : text;
}
