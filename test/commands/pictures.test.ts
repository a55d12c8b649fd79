import { afterEach, describe, expect, it, vi } from "vitest";
import { stdoutOf } from "../support/command.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("the timeline below a container's row", () => {
  const lineIn = async (locale: Readonly<Record<"LC_ALL" | "LC_CTYPE" | "LANG", string>>) => {
    for (const [name, value] of Object.entries(locale)) vi.stubEnv(name, value);
    return (await stdoutOf(["demo"])).split("\n").find((line) => / {2}last \d/.test(line));
  };
  const BLOCKS = /^ {2}[▒▁█]+\|[▁░]+ {2}last 7m53s$/;
  const ASCII = /^ {2}[+_#]+\|[_=]+ {2}last 7m53s$/;

  it.each([
    { LC_ALL: "", LC_CTYPE: "C.utf8", LANG: "C", looks: BLOCKS },
    { LC_ALL: "C", LC_CTYPE: "en_US.UTF-8", LANG: "en_US.UTF-8", looks: ASCII },
  ])("suits the locale LC_ALL=$LC_ALL LC_CTYPE=$LC_CTYPE LANG=$LANG", async ({ looks, ...locale }) => {
    expect(await lineIn(locale)).toMatch(looks);
  });

  it("is blocks on Windows, whatever the locale", async () => {
    const platform = vi.spyOn(process, "platform", "get").mockReturnValue("win32");
    expect(await lineIn({ LC_ALL: "C", LC_CTYPE: "", LANG: "" })).toMatch(BLOCKS);
    platform.mockRestore();
  });
});

describe("-o svg and -o html", () => {
  it("print one picture and one page", async () => {
    expect(await stdoutOf(["demo", "-o", "svg"])).toMatch(/^<svg [^>]*>\n[\s\S]*<\/svg>\n$/);
    expect(await stdoutOf(["demo", "-o", "html"])).toMatch(/^<!DOCTYPE html>\n<html lang="en">\n[\s\S]*<\/html>\n$/);
  });
});
