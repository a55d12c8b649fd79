import { builtPackages } from "../audit/dependencies-page.ts";
import { BUNDLED_LICENCES, isAllowed } from "../audit/licences.ts";
import type { Section } from "./section.ts";

export async function supplyChainSection(): Promise<Section> {
  const packages = await builtPackages();
  const count = (licence: string): number => packages.filter((bundled) => bundled.licence === licence).length;
  const licences = [...new Set(packages.map(({ licence }) => licence))].sort();
  const refused = packages.filter(({ licence }) => !isAllowed(licence, BUNDLED_LICENCES));
  return {
    title: "Supply chain",
    lines: [
      `The program is one file, and no package is installed with it. Parts of ${packages.length} packages are in it, which [dependencies.md](dependencies.md) names`,
      `(licences: ${licences.map((name) => `${name} ${count(name)}`).join(", ")}; not on the list of those that are allowed: ${refused.length}). The executable has Bun in it, too.`,
    ],
  };
}
