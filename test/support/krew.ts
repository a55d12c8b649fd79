export interface PluginManifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly version: string;
    readonly homepage: string;
    readonly shortDescription: string;
    readonly description: string;
    readonly caveats: string;
    readonly platforms: readonly Platform[];
  };
}

interface Platform {
  readonly uri: string;
  readonly sha256: string;
  readonly bin: string;
  readonly files?: readonly { readonly from?: string; readonly to?: string }[];
  readonly selector: Selector;
}

interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly { key: string; operator: string; values?: readonly string[] }[];
}

/**
 * The pairs of operating system and architecture that krew knows (`allPlatforms`, cmd/validate-krew-manifest/main.go).
 */
export const PLATFORMS: readonly string[] = [
  ...["windows/386", "windows/amd64", "windows/arm64"],
  ...["linux/386", "linux/amd64", "linux/arm", "linux/arm64", "linux/ppc64le"],
  ...["darwin/386", "darwin/amd64", "darwin/arm64"],
];

const RESERVED_ON_WINDOWS = /^(con|prn|aux|nul|com[1-9]|lpt[1-9])$/i;
const SEMVER = /^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/;

/**
 * Mirrors krew's `ValidatePlugin` (internal/index/validation/validate.go) and `validateManifestFile`
 * (cmd/validate-krew-manifest/main.go), but does not install the plugin, and complains of long lines, of which krew only
 * warns.
 */
export function krewComplaints({ apiVersion, kind, metadata, spec }: PluginManifest): string[] {
  const complaints: [boolean, string][] = [
    [apiVersion === "krew.googlecontainertools.github.com/v1alpha2", "apiVersion is not v1alpha2"],
    [kind === "Plugin", "kind is not Plugin"],
    [/^[\w-]+$/.test(metadata.name) && !RESERVED_ON_WINDOWS.test(metadata.name), "name is not safe"],
    [/^[^\r\n]+$/.test(spec.shortDescription), "shortDescription is not one line"],
    [hasLines(spec.shortDescription, 70), "shortDescription is longer than 70 columns"],
    [hasLines(spec.description, 80), "description has lines of more than 80 columns"],
    [hasLines(spec.caveats, 80), "caveats have lines of more than 80 columns"],
    [SEMVER.test(spec.version), "version is no semantic version with a v"],
    [spec.platforms.length > 0, "there is no platform"],
  ];
  return [
    ...complaints.flatMap(([holds, complaint]) => (holds ? [] : [complaint])),
    ...spec.platforms.flatMap(platformComplaints),
    ...overlaps(spec.platforms),
  ];
}

function hasLines(text: string, mostColumns: number): boolean {
  return text.split("\n").every((line) => line.length <= mostColumns || !line.trim().includes(" "));
}

function platformComplaints({ uri, sha256, bin, files, selector }: Platform): string[] {
  const isWhole = files === undefined || (files.length > 0 && files.every(({ from, to }) => from && to));
  const installed = files?.map(({ from = "" }) => from) ?? ["LICENSE"];
  const keys = [...Object.keys(selector.matchLabels ?? {}), ...(selector.matchExpressions ?? []).map(({ key }) => key)];
  const complaints: [boolean, string][] = [
    [uri !== "", "uri is not set"],
    [/^[a-f0-9]{64}$/.test(sha256), "sha256 is none"],
    [bin !== "", "bin is not set"],
    [isWhole, "files is empty, or one has no from or to"],
    [installed.some((file) => /^(licen[cs]e|copying)/i.test(file)), "no licence is among the installed files"],
    [keys.length > 0 && keys.every((key) => key === "os" || key === "arch"), "selector has not just os and arch"],
    [PLATFORMS.some((pair) => matchesPlatform(selector, pair)), "selector matches no platform that krew knows"],
  ];
  return complaints.flatMap(([holds, complaint]) => (holds ? [] : [complaint]));
}

function overlaps(platforms: readonly Platform[]): string[] {
  return PLATFORMS.flatMap((pair) => {
    const matches = platforms.filter(({ selector }) => matchesPlatform(selector, pair)).length;
    return matches > 1 ? [`${pair} is matched ${matches} times`] : [];
  });
}

/** Whether a label selector selects a pair such as "linux/amd64". */
export function matchesPlatform({ matchLabels = {}, matchExpressions = [] }: Selector, pair: string): boolean {
  const [os, arch] = pair.split("/");
  const labels: Readonly<Record<string, string | undefined>> = { os, arch };
  const selects = ({ key, operator, values = [] }: { key: string; operator: string; values?: readonly string[] }) => {
    const isListed = values.includes(labels[key] ?? "");
    return operator === "In" ? isListed : operator === "NotIn" ? !isListed : operator === "Exists" && key in labels;
  };
  return Object.entries(matchLabels).every(([key, value]) => labels[key] === value) && matchExpressions.every(selects);
}
