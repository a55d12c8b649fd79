import type { Cause, ContainerExplanation, PodExplanation } from "../answer/explanation.ts";
import type { SettingChange } from "../answer/setting-change.ts";
import { tellingLine } from "../answer/telling-line.ts";
import { mainContainer, troubleOf } from "../triage.ts";

const PROGRAM = /^(image|command|args)\b/;

const BY_CAUSE: Partial<Readonly<Record<Cause, RegExp>>> = {
  oom: /^resources\.limits\.memory\b/,
  "liveness-probe": /^livenessProbe\b/,
  "startup-probe": /^startupProbe\b/,
  "post-start-hook": /^lifecycle\b/,
  "start-error": PROGRAM,
};

/** The exit codes of a shell that cannot execute or find a program (POSIX.1-2024, 2.8.2). */
const NO_PROGRAM: readonly number[] = [126, 127];

/** Guesses whether the change explains the failure, from the path of the setting and the words of the error. */
export function decidesFailure(change: SettingChange, pod: PodExplanation): boolean {
  const main = mainContainer(pod);
  if (main === undefined || change.container !== main.name) return false;
  return pathsThatDecide(main)?.test(change.path) === true || isNamedIn(errorOf(main), change);
}

function pathsThatDecide(container: ContainerExplanation): RegExp | undefined {
  const { imagePull, lastExit } = container;
  if (troubleOf(container) === "not-ready") return /^readinessProbe\b/;
  if (imagePull !== null) return /^image\b/;
  if (lastExit === null) return undefined;
  return BY_CAUSE[lastExit.cause] ?? (NO_PROGRAM.includes(lastExit.exitCode) ? PROGRAM : undefined);
}

function errorOf({ logs, lastExit }: ContainerExplanation): string {
  const lines = logs?.lines ?? [];
  const first = lines.findIndex((line) => tellingLine([line])?.isFailure === true);
  const said = first === -1 ? [tellingLine(lines)?.text ?? ""] : lines.slice(first);
  return [...said, lastExit?.message ?? ""].join("\n");
}

function isNamedIn(text: string, { path, old, new: now }: SettingChange): boolean {
  const [, variable] = /^env (\w{4,})$/.exec(path) ?? [];
  const before = wordsOf(old ?? "");
  const words = wordsOf(now ?? "").filter((word) => !before.includes(word));
  const named = [...(variable === undefined ? [] : [variable]), ...(words.length > MOST_WORDS ? [] : words)];
  return named.some((word) => isWordIn(text, word));
}

/** Assumed: a value with more new words is a script or a text, whose words prove nothing. */
const MOST_WORDS = 8;

const TRIVIAL = /^(true|false|null|none|\d{1,2})$/i;

/** For "--cache=redis:6379", the words include "--cache", "redis:6379", "redis" and "6379". */
function wordsOf(value: string): string[] {
  const whole = value.split(/[\s=,;"'()[\]{}]+/);
  return [...whole, ...whole.flatMap((word) => word.split(/[:/]/))].filter(
    (word) => word.length >= 3 && !TRIVIAL.test(word),
  );
}

function isWordIn(text: string, word: string): boolean {
  const isPartAt = (index: number): boolean => /[\w-]/.test(text[index] ?? "");
  for (let index = text.indexOf(word); index !== -1; index = text.indexOf(word, index + 1))
    if (!isPartAt(index - 1) && !isPartAt(index + word.length)) return true;
  return false;
}
