import type { SkippedObject } from "./input-objects.ts";

interface Skipped {
  count: number;
  readonly sources: Set<string>;
}

/** Counts what is skipped and says it in one sentence per kind, in the order in which the kinds were met. */
export class SkippedObjects {
  readonly #byKind = new Map<string, Skipped>();

  add({ skipped }: SkippedObject, source: string): void {
    const entry = this.#byKind.get(skipped) ?? { count: 0, sources: new Set() };
    entry.count++;
    entry.sources.add(source);
    this.#byKind.set(skipped, entry);
  }

  sentences(): string[] {
    return [...this.#byKind].map(([skipped, { count, sources }]) => {
      const what = count === 1 ? skipped : skipped.replace(/\b(object|value)\b/, "$1s");
      const where = sources.size === 1 ? [...sources][0] : `${sources.size} files`;
      return `Skipped ${count} ${what} in ${where}: only Pod, Event, Node, kubelet configuration and workloads matter here.`;
    });
  }
}
