import { inAscii } from "../../render/page/ascii.ts";

/** What of the process says how its terminal shows characters. */
interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
}

/** A terminal of Windows shows Unicode whatever its code page; elsewhere the locale says it, and without one it is ASCII. */
export function isUnicode({ env, platform }: Terminal): boolean {
  if (platform === "win32") return true;
  return /utf-?8/i.test(env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "");
}

/** A text for people, in characters that their terminal has. */
export function forTerminal(text: string): string {
  return isUnicode(process) ? text : inAscii(text);
}
