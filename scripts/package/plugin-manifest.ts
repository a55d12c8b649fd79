const NOT_YET = "0".repeat(64);

/**
 * Fills the sums of the archives into krew's manifest, each after the archive's address. Throws if the template names
 * other archives than there are.
 */
export function filledManifest(template: string, sums: ReadonlyMap<string, string>): string {
  const missing = new Set(sums.keys());
  const filled = template.replaceAll(
    /^(?<before> *uri: \S+\/(?<archive>[^/\s]+)\n *sha256: )"(?<sum>[0-9a-f]{64})"$/gm,
    (...match) => {
      const { before, archive, sum: placeholder } = match.at(-1) as Record<"before" | "archive" | "sum", string>;
      const sum = sums.get(archive);
      if (sum === undefined || placeholder !== NOT_YET) throw new Error(`There is no ${archive} to sum up.`);
      missing.delete(archive);
      return `${before}"${sum}"`;
    },
  );
  if (missing.size > 0) throw new Error(`The manifest does not name ${[...missing].join(", ")}.`);
  // What it says of itself as a template is no longer so.
  return filled.replace(/^# Nothing is released yet.*\n/m, "");
}
