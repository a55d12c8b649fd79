import type { ListItem, SharedThing } from "./answer/backoff-list.ts";
import { TELLING_CAUSES, tellingLine } from "./answer/telling-line.ts";
import { isElsewhere } from "./observed/needed-addresses.ts";

export interface Link {
  readonly kind: SharedThing;
  readonly key: string;
  /** The predicate of a sentence, e.g. "say: connect ECONNREFUSED 10.0.0.7:5432". */
  readonly words: string;
  /** Replaces `words` if links with the same `kind` and `key` have different `words`. */
  readonly wordsIfVaried?: string;
  /** In lower case, perhaps with a port, e.g. "db.prod.svc:5432". */
  readonly hosts?: readonly string[];
}

/** The most telling kind comes first. */
export const LINK_KINDS: readonly SharedThing[] = ["log", "message", "host", "secret", "configmap", "image"];

/** Links of these kinds tell something even if it is unknown when the containers began to fail. */
export const TIMELESS: readonly SharedThing[] = ["log", "message", "host"];

/** An exit code alone makes no link, because unrelated programs exit with the same code, e.g. 1. */
export function linksOf(item: ListItem): Link[] {
  return [...linksOfWords(item), ...linksOfSpec(item)];
}

function linksOfWords({ cause, message, lastLogLine }: ListItem): Link[] {
  const isBeforeStart = cause === "image-pull" || cause === "start-failure";
  if (!isBeforeStart && !TELLING_CAUSES.includes(cause)) return [];
  const line = message ?? lastLogLine;
  if (line === null || !(isBeforeStart || tellingLine([line])?.isFailure === true)) return [];
  const key = withoutVariables(line);
  const hosts = isBeforeStart ? [] : hostsIn(line);
  const kind = isBeforeStart ? "message" : "log";
  const wordsIfVaried = `say the same but for numbers: ${line}`;
  return [
    ...(isSpecific(key, hosts) ? [{ kind, key, words: `say: ${line}`, wordsIfVaried, hosts } as const] : []),
    ...hosts.map((host) => ({ kind: "host", key: host, words: `name ${host} in their logs`, hosts: [host] }) as const),
  ];
}

const CODES_OF_ANY_CAUSE: readonly (number | undefined)[] = [undefined, 0, 1, 2, 137, 143, 255];

/** Unrelated workloads can share ConfigMaps, Secrets and images, so each key also includes a sign of the failure. */
function linksOfSpec({ namespace, image, sources, cause, lastExit, message, lastLogLine }: ListItem): Link[] {
  const line = message ?? lastLogLine;
  if (line === null && CODES_OF_ANY_CAUSE.includes(lastExit?.exitCode)) return [];
  const end = line === null ? `${cause} ${lastExit?.exitCode}` : withoutVariables(line);
  const ofSources = sources.map(({ kind, name }): Link => {
    const type = kind === "Secret" ? "secret" : "configmap";
    return { kind: type, key: `${namespace}/${name} ${end}`, words: `use ${type}/${name}` };
  });
  const ofImage: Link = { kind: "image", key: `${image} ${end}`, words: `run the image ${image}` };
  return [...ofSources, ...(COMMON_IMAGES.test(image) ? [] : [ofImage])];
}

const COMMON_IMAGES =
  /^(?!.*\/)|(?:^|\/)library\/|\/(?:alpine|busybox|debian|ubuntu|python|node|nginx|distroless\/[\w-]+)(?:[:@]|$)/;

const PORT = String.raw`(?::\d{2,5})`;
const HOSTS = new RegExp(
  [
    String.raw`\b\d{1,3}(?:\.\d{1,3}){3}${PORT}?\b`,
    String.raw`(?<=://(?:[^\s/@]*@)?)[\w.-]+${PORT}?`,
    String.raw`\b[a-z][\w-]*(?:\.[\w-]+)*${PORT}\b`,
    String.raw`(?<=\b(?:lookup|ENOTFOUND|EAI_AGAIN|host(?: name)?) ["']?)[a-z][\w.-]*\w`,
  ].join("|"),
  "gi",
);

export function hostsIn(line: string): string[] {
  const hosts = (line.match(HOSTS) ?? []).map((host) => host.toLowerCase());
  return [...new Set(hosts)].filter((found) => {
    const [host = "", port] = found.split(":");
    return isElsewhere(host, port);
  });
}

export function withoutVariables(line: string): string {
  const hosts = hostsIn(line);
  const plain = hosts
    .reduce((text, host) => text.replaceAll(host, "@"), line.toLowerCase())
    .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "#")
    .replaceAll(/\b(?=[0-9a-f]*\d)[0-9a-f]{7,}\b/g, "#")
    .replaceAll(/\d+(?:[.,:]\d+)*/g, "#")
    .replaceAll(/\s+/g, " ");
  return [plain.trim(), ...hosts].join(" ");
}

const COMMON_MESSAGES =
  /nil pointer|null ?pointer|segmentation (?:fault|violation)|out of (?:memory|range)|heap|stack overflow|index out of|undefined \(reading|of undefined|is not a function|exit(?:ed)?(?: status| code)?\b|terminated|killed|shutting down|context (?:canceled|deadline)|unhandled|uncaught|^(?:fatal|panic|error|failed)\b\W*$/;
const LEAST_WORDS = 3;

/** Guesses whether containers whose logs or messages have `line` fail for the same reason. */
function isSpecific(line: string, hosts: readonly string[]): boolean {
  if (hosts.length > 0) return true;
  const words = line.split(" ").filter((word) => /[a-z]{2}/.test(word));
  return words.length >= LEAST_WORDS && !COMMON_MESSAGES.test(line) && /["'`/=_.]|\S-\S|[a-z]:/.test(line);
}
