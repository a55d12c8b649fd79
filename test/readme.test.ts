import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { terminalPicture } from "../scripts/record-terminal/terminal-picture.ts";
import { loadCommands } from "../src/commands/commands.ts";
import { repositoryFile, run, stdoutOf } from "./support/command.ts";
import { blocksOf, withBlock } from "./support/page-blocks.ts";

const COMMANDS = await loadCommands();

const README = pageText("README.md");
const PAGES = ["README.md", "CONTRIBUTING.md", "docs/offline.md"].map((page) => ({ page, text: pageText(page) }));

const LIST = "$ kubectl backoff list -f incident.json.gz";
const ETA_LINES = 8;
const ETA = `$ kubectl backoff eta -f incident.json.gz | head -${ETA_LINES}`;
const INCIDENT = repositoryFile("test/fixtures/incident.json.gz");
const SIMULATE = "$ kubectl backoff simulate --run 42s --compare default,max=60s,v1.34";

describe("the pages", () => {
  it.each([
    {
      page: "README.md",
      blocks: [
        { line: LIST, argv: ["list", "-f", INCIDENT] },
        { line: ETA, argv: ["eta", "-f", INCIDENT], lines: ETA_LINES },
      ],
    },
    { page: "docs/offline.md", blocks: [{ line: SIMULATE, argv: SIMULATE.split(" ").slice(3) }] },
  ])("show what the program prints: $page (vitest --update writes it)", async (shown) => {
    vi.stubEnv("TZ", "UTC");
    vi.stubEnv("COLUMNS", "80");
    let text = pageText(shown.page);
    for (const { line, argv, lines } of shown.blocks as readonly Shown[]) {
      const { exitCode, stdout } = await run(...argv);
      expect(exitCode).toBe(0);
      text = withBlock(
        text,
        `${line}\n`,
        `${line}\n${stdout
          .split(/(?<=\n)/)
          .slice(0, lines)
          .join("")}`,
      );
    }
    await expect(text).toMatchFileSnapshot(repositoryFile(shown.page));
  });

  it.each([
    { page: "docs/how-it-works.md", picture: "timeline", argv: ["demo", "-o", "svg"] },
    { page: "docs/offline.md", picture: "curves", argv: [...SIMULATE.split(" ").slice(3), "-o", "svg"] },
  ])("show the picture that the program draws: $picture", async ({ page, picture, argv }) => {
    vi.stubEnv("TZ", "UTC");
    expect(pageText(page)).toContain(`images/${picture}.svg)`);
    await expect(await stdoutOf(argv)).toMatchFileSnapshot(repositoryFile(`docs/images/${picture}.svg`));
  });

  it.runIf(process.platform === "linux")("show the picture of a terminal after `demo`", async () => {
    expect(README).toContain("images/terminal.svg)");
    await expect(await terminalPicture(["demo"])).toMatchFileSnapshot(repositoryFile("docs/images/terminal.svg"));
  });

  it.each(PAGES)("have blocks of at most 80 columns: $page", ({ text }) => {
    const lines = blocksOf(text).flatMap((block) => block.split("\n"));
    expect(lines).not.toEqual([]);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it("name only files and folders that exist", () => {
    const named = PAGES.flatMap(({ text }) =>
      [...text.matchAll(/`((?:bin|docs|examples|scripts|src|test)\/[\w./-]*)`/g)].map(([, name = ""]) => name),
    );
    expect(named).toContain("src/README.md");
    expect(named.filter((path) => !existsSync(repositoryFile(path)))).toEqual([]);
  });
});

describe("README.md", () => {
  it("has at most 150 lines", () => {
    expect(README.split("\n").length - 1).toBeLessThanOrEqual(150);
  });

  it("names every command", () => {
    expect(Object.keys(COMMANDS).filter((command) => !README.includes(`kubectl backoff ${command}`))).toEqual([]);
  });

  it("links only to headings that exist", () => {
    const links = [...README.matchAll(/\]\(([^)#:]+)#([^)]+)\)/g)];
    expect(links).not.toEqual([]);
    for (const [, page = "", anchor] of links) {
      const headings = [...pageText(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => heading.toLowerCase());
      const anchors = headings.map((heading) => heading.replaceAll(/[^\w -]/g, "").replaceAll(" ", "-"));
      expect(anchors).toContain(anchor);
    }
  });
});

interface Shown {
  readonly line: string;
  readonly argv: readonly string[];
  /** The number of lines of the output that the page shows. Absent: all. */
  readonly lines?: number;
}

function pageText(page: string): string {
  return readFileSync(repositoryFile(page), "utf8");
}
