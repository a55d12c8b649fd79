declare module "semver" {
  /** Whether the version is in the range. */
  export function satisfies(
    version: string,
    range: string,
    options?: { readonly includePrerelease?: boolean },
  ): boolean;
  /** The version as it should be written; null for what is no version. */
  export function valid(version: string): string | null;
  /** The range as it should be written; null for what is no range. */
  export function validRange(range: string): string | null;
}
