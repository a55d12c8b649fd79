const NOT_YET = "0".repeat(64);

/**
 * Fills the SHA-256 sums of the archives into krew's manifest. Throws if the template names other archives than `sums`.
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
  return filled.replace(/^# Nothing is released yet.*\n/m, "");
}
