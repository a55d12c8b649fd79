import { watchObjects } from "../../src/cluster/watch/watch-objects.ts";
import { LAB_PATHS, LabApi } from "./api.ts";
import { VirtualTimers } from "./virtual-timers.ts";

export function nameOf(object: unknown): string {
  return (object as { metadata: { name: string } }).metadata.name;
}

export class ObjectLab {
  readonly timers = new VirtualTimers();
  readonly api = new LabApi(this.timers);
  readonly told: string[] = [];
  readonly ending = new AbortController();

  follow(): Promise<void> {
    const handler = {
      listed: (objects: readonly unknown[]) => void this.told.push(`listed ${objects.map(nameOf)}`),
      changed: (object: unknown) => void this.told.push(`changed ${nameOf(object)}`),
      deleted: (object: unknown) => void this.told.push(`deleted ${nameOf(object)}`),
      connectionChanged: (failure: Error | null) =>
        void (failure !== null && this.told.push(`lost: ${failure.message}`)),
    };
    const source = { path: LAB_PATHS.pods, fieldSelector: "" };
    const on = { connection: this.api.connection(), timers: this.timers, signal: this.ending.signal };
    return watchObjects(on, source, handler);
  }

  put(name: string): void {
    this.api.put(LAB_PATHS.pods, { metadata: { name } });
  }

  remove(name: string): void {
    this.api.remove(LAB_PATHS.pods, name);
  }

  endAfter(text: string): void {
    this.api.each((pipe) => {
      pipe.send(text);
      pipe.end();
    });
  }

  end(): void {
    this.api.each((pipe) => pipe.end());
  }

  get watches(): number {
    return this.api.asked.filter(({ isWatch }) => isWatch).length;
  }

  get lists(): number {
    return this.api.asked.length - this.watches;
  }
}
