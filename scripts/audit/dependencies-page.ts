import manifest from "../../package.json" with { type: "json" };
import lock from "../../package-lock.json" with { type: "json" };
import { bundle } from "../build/bundle.ts";
import { markdownTable } from "../markdown-table.ts";
import { type BundledPackage, bundledPackages } from "../package/bundled-packages.ts";

const TABLE = /(?:^\|.*\|\n)+/gm;

export async function builtPackages(): Promise<BundledPackage[]> {
  const bundles = await Promise.all(["main.js", "complete.js"].map(bundle));
  return bundledPackages(bundles.map(({ metafile }) => metafile));
}

/** The reasons for packages of package.json stay as written. The reason for another package is its importers. */
export function renewedPage(text: string, packages: readonly BundledPackage[]): string {
  const reasons = new Map((text.match(TABLE) ?? []).flatMap(reasonsIn));
  const own = Object.keys(manifest.devDependencies);
  const why = ({ name }: BundledPackage): string =>
    own.includes(name) ? (reasons.get(name) ?? "") : `of ${importersOf(name, packages).join(", ")}`;
  const tools = own.filter((name) => !packages.some((bundled) => bundled.name === name));
  const tables = [
    markdownTable(
      ["package", "version", "licence", "why"],
      packages.map((bundled) => [bundled.name, bundled.version, bundled.licence, why(bundled)]),
    ),
    markdownTable(
      ["package", "why"],
      tools.map((name) => [name, reasons.get(name) ?? ""]),
    ),
  ];
  return text.replaceAll(
    TABLE,
    (table) =>
      tables
        .shift()
        ?.map((line) => `${line}\n`)
        .join("") ?? table,
  );
}

export function unexplained(page: string): string[] {
  const rows = (page.match(TABLE) ?? []).flatMap(reasonsIn);
  return rows.filter(([, reason]) => reason === "").map(([name]) => name);
}

function reasonsIn(table: string): [name: string, reason: string][] {
  const [, , ...lines] = table.trim().split("\n");
  return lines.map((line) => {
    const cells = line.slice(1, -1).split("|");
    return [cells[0]?.trim() ?? "", cells.at(-1)?.trim() ?? ""];
  });
}

interface Asking {
  readonly dependencies?: object;
  readonly optionalDependencies?: object;
  readonly peerDependencies?: object;
}

function importersOf(name: string, packages: readonly BundledPackage[]): string[] {
  const locked: Readonly<Record<string, object>> = lock.packages;
  const asking = packages.filter(({ folder }) => {
    const { dependencies, optionalDependencies, peerDependencies }: Asking = locked[folder] ?? {};
    return name in { ...dependencies, ...optionalDependencies, ...peerDependencies };
  });
  return [...new Set(asking.map((bundled) => bundled.name))];
}
