import type { BundledPart } from "./bundled.ts";

/** A row of a table of docs/dependencies.md, by its package's name and, where it is told, version. */
export interface PageRow {
  readonly cells: readonly string[];
  /** The last cell. */
  readonly why: string;
}

/** The tables of the page, one after the other: what is in the built file, and what only develops it. */
export interface DependenciesPage {
  readonly bundled: readonly PageRow[];
  readonly tools: readonly PageRow[];
}

const TABLE = /(?:^\|.*\|\n)+/gm;
/** Parts of packages grow and shrink a little with what is used of them. */
const TOLERANCE = { share: 0.1, bytes: 500 } as const;

/** Reads the page. */
export function readPage(text: string): DependenciesPage {
  const [bundled = [], tools = []] = (text.match(TABLE) ?? []).map((table) => rowsOf(table));
  return { bundled, tools };
}

function rowsOf(table: string): PageRow[] {
  const [, , ...lines] = table.trim().split("\n");
  return lines.map((line) => {
    const cells = line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim());
    return { cells, why: cells.at(-1) ?? "" };
  });
}

/** Where the page and what there is differ, in sentences. */
export function differencesOf(
  page: DependenciesPage,
  parts: readonly BundledPart[],
  tools: readonly string[],
): string[] {
  return [
    ...missing(
      "the built file",
      parts.map(nameOf),
      page.bundled.map(({ cells }) => `${cells[0]} ${cells[1]}`),
    ),
    ...missing(
      "package.json",
      tools,
      page.tools.map(({ cells }) => cells[0] ?? ""),
    ),
    ...parts.flatMap((part) => wrongCells(part, page)),
    ...[...page.bundled, ...page.tools].flatMap(({ cells, why }) =>
      why === "" ? [`${cells[0]}: there is no reason`] : [],
    ),
  ];
}

function missing(where: string, there: readonly string[], told: readonly string[]): string[] {
  return [
    ...there.filter((name) => !told.includes(name)).map((name) => `${name} is in ${where}, but not on the page`),
    ...told.filter((name) => !there.includes(name)).map((name) => `${name} is on the page, but not in ${where}`),
  ];
}

function wrongCells(part: BundledPart, { bundled }: DependenciesPage): string[] {
  const [, , licence, size] = bundled.find(({ cells }) => `${cells[0]} ${cells[1]}` === nameOf(part))?.cells ?? [];
  if (licence === undefined) return [];
  const bytes = Number(size) * 1000;
  const isNear = Math.abs(bytes - part.bytes) <= part.bytes * TOLERANCE.share + TOLERANCE.bytes;
  return [
    ...(licence === part.licence ? [] : [`${nameOf(part)}: the licence is ${part.licence}`]),
    ...(isNear ? [] : [`${nameOf(part)}: there are ${kilobytes(part)} kB of it`]),
  ];
}

/** The page with its tables as they should be; reasons stay, and what is new has none yet. */
export function renewedPage(text: string, parts: readonly BundledPart[], tools: readonly string[]): string {
  const page = readPage(text);
  const reasons = new Map([...page.tools, ...page.bundled].map(({ cells, why }) => [cells[0], why]));
  const rows = parts.map((part) => [
    part.name,
    part.version,
    part.licence,
    kilobytes(part),
    reasons.get(part.name) ?? "",
  ]);
  const tables = [
    tableOf(["package", "version", "licence", "kB", "why"], rows),
    tableOf(
      ["package", "why"],
      tools.map((name) => [name, reasons.get(name) ?? ""]),
    ),
  ];
  return text.replaceAll(TABLE, (table) => tables.shift() ?? table);
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

function nameOf({ name, version }: Pick<BundledPart, "name" | "version">): string {
  return `${name} ${version}`;
}

function kilobytes({ bytes }: BundledPart): string {
  return (bytes / 1000).toFixed(1);
}
