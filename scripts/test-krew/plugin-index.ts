import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export class PluginIndex {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(join(folder, "plugins"), { recursive: true });
    this.#git("init", "--quiet");
  }

  publish(name: string, manifest: string): void {
    writeFileSync(join(this.folder, "plugins", `${name}.yaml`), manifest);
    this.#git("add", ".");
    this.#git("-c", "user.name=index", "-c", "user.email=index@localhost", "commit", "--quiet", "--message", name);
  }

  #git(...args: readonly string[]): void {
    execFileSync("git", args, { cwd: this.folder, stdio: ["ignore", "ignore", "inherit"] });
  }
}
