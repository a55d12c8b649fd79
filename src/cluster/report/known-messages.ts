import { parseGoDuration } from "../../kubelet/go-duration.ts";
import { madeUpUid, type NameBook } from "./name-book.ts";

/** A message of a known shape, written anew from its parts; null where a part is not what it should be. */
type Rewrite = (book: NameBook, ...parts: (string | undefined)[]) => string | null;

const container = (book: NameBook, name: string): string => book.replace("container", name);
const image = (book: NameBook, name: string): string => book.replace("image", name);

/** `NAME_NAMESPACE(UID)` (`format.Pod`, pkg/kubelet/util/format/pod.go, v1.37.1). */
function podWord(book: NameBook, word: string): string | null {
  const parts = /^([^_\s]+)_([^_\s(]+)\(([^()\s]+)\)$/.exec(word);
  if (parts === null) return null;
  const [, name = "", namespace = "", uid = ""] = parts;
  return `${book.replace("pod", name)}_${book.replace("namespace", namespace)}(${book.replace("uid", uid, madeUpUid)})`;
}

/** The delay counts whatever follows it. */
function backOff(book: NameBook, delay: string, name: string, pod: string, rest: string): string | null {
  if (parseGoDuration(delay) === null) return null;
  const where = podWord(book, pod);
  const parts = [
    `back-off ${delay} restarting failed container${name === "" ? "" : `=${container(book, name)}`}`,
    ...(where === null ? [] : [`pod=${where}`]),
    ...(rest === "" ? [] : [book.remove(rest)]),
  ];
  return parts.join(" ");
}

/** What is after a known beginning, if anything. */
function restOf(book: NameBook, rest: string): string {
  return rest === "" ? "" : ` ${book.remove(rest)}`;
}

/**
 * The messages that the explanation reads or shows, and that hold nothing but names: those of the kubelet, whose sources are
 * named in src/kubelet/event-messages.ts. What follows a known beginning is removed.
 */
const SHAPES: readonly (readonly [RegExp, Rewrite])[] = [
  [
    /^back-off (\S+) restarting failed container(?:=([^\s:]+))?(?: pod=([^\s:]+))?(.*)$/s,
    (book, delay = "", name = "", pod = "", rest = "") => backOff(book, delay, name, pod, rest),
  ],
  [
    /^Back-off restarting failed container (\S+) in pod (\S+)$/,
    (book, name = "", pod = "") => {
      const where = podWord(book, pod);
      return where && `Back-off restarting failed container ${container(book, name)} in pod ${where}`;
    },
  ],
  [
    /^(Container|Init container) (\S+) (failed liveness probe|failed startup probe|definition changed)(, will be restarted)?(.*)$/s,
    (book, kind = "", name = "", what = "", then = "", rest = "") =>
      `${kind} ${container(book, name)} ${what}${then}${restOf(book, rest)}`,
  ],
  [
    /^(Created container:? |Started container |Stopping container )(\S+)$/,
    (book, what = "", name = "") => `${what}${container(book, name)}`,
  ],
  [
    /^Container image "([^"]*)" (already present on machine(?: and can be accessed by the pod)?|is not present with pull policy of Never)$/,
    (book, name = "", what = "") => `Container image "${image(book, name)}" ${what}`,
  ],
  [
    /^(Pulling image|Back-off pulling image|Successfully pulled image|Failed to pull image) "([^"]*)"(.*)$/s,
    (book, what = "", name = "", rest = "") => `${what} "${image(book, name)}"${restOf(book, rest)}`,
  ],
  [
    /^((?:Liveness|Readiness|Startup) probe (?:failed|errored)|FailedPostStartHook)(.*)$/s,
    (book, what = "", rest = "") => `${what}${restOf(book, rest)}`,
  ],
];

/** Messages without any name in them. */
const CONSTANTS: ReadonlySet<string> = new Set([
  "Starting kubelet.",
  "Container created",
  "Container started",
  "FailedPostStartHook",
  "PostStartHook failed",
  "killing",
  "Error: ErrImagePull",
  "Error: ImagePullBackOff",
  "Error: ErrImageNeverPull",
  "Error: InvalidImageName",
  "The container is removed because RestartAllContainers in place",
  "kubelet is posting ready status",
  "Kubelet stopped posting node status.",
]);

/** The message with other names in it if its shape is known; else only that there was one, and which ones are the same. */
export function anonymousMessage(message: string, book: NameBook): string {
  if (message === "" || CONSTANTS.has(message)) return message;
  for (const [shape, rewrite] of SHAPES) {
    const parts = shape.exec(message);
    const rewritten = parts === null ? null : rewrite(book, ...parts.slice(1));
    if (rewritten !== null) return rewritten;
  }
  return book.remove(message);
}
