export interface KubeletVersion {
  readonly major: number;
  readonly minor: number;
}

/** Reads "v1.37.1", "1.34" or a vendor's "v1.34.4-gke.100"; null if it is no version. */
export function parseKubeletVersion(text: string): KubeletVersion | null {
  const match = /^v?(\d{1,4})\.(\d{1,4})(?:\.\d+)?(?:[-+.].*)?$/.exec(text.trim());
  if (match === null) return null;
  return { major: Number(match[1]), minor: Number(match[2]) };
}

/** Whether `version` is 1.`minor` or newer. */
export function isAtLeast(version: KubeletVersion, minor: number): boolean {
  return version.major > 1 || (version.major === 1 && version.minor >= minor);
}
