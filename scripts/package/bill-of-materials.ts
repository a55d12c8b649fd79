import { execFileSync } from "node:child_process";
import type { BundledPackage } from "./bundled-packages.ts";

interface Bill {
  readonly serialNumber?: string;
  readonly metadata: { readonly timestamp?: string; readonly component: Readonly<Record<string, unknown>> };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

interface Component {
  readonly "bom-ref": string;
  readonly name: string;
  readonly version: string;
}

/**
 * Keeps of the output of `npm sbom` what is in the archives. Leaves out what changes with each call: date and serial
 * number.
 */
export function billOfMaterials(packages: readonly BundledPackage[]): Bill {
  const options = ["--sbom-format=cyclonedx", "--sbom-type=application", "--package-lock-only", "--loglevel=error"];
  const all: Bill = JSON.parse(execFileSync("npm", ["sbom", ...options], { encoding: "utf8", maxBuffer: 2 ** 26 }));
  const { serialNumber: _, metadata, ...bill } = all;
  const { timestamp: __, component, ...others } = metadata;
  const isShipped = ({ name, version }: Component): boolean =>
    name === "bun" || packages.some((bundled) => bundled.name === name && bundled.version === version);
  const components = bill.components.filter(isShipped);
  const references = new Set(components.map((shipped) => shipped["bom-ref"]));
  const own = component["bom-ref"] as string;
  return {
    ...bill,
    metadata: { ...others, component: { ...component, name: "kubectl-backoff" } },
    components: components.map((shipped) => ({ ...shipped, scope: "required" })),
    dependencies: bill.dependencies
      .filter(({ ref }) => ref === own || references.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((needed) => references.has(needed)) })),
  };
}
