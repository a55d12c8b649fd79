import manifest from "../../package.json" with { type: "json" };
import { BackoffCommand } from "./base/backoff-command.ts";
import { MODELED_MINORS } from "./flags/flag-values.ts";

export default class Version extends BackoffCommand {
  static override summary = "Print the version of this program, and of the kubelets that its model is for.";

  async run(): Promise<void> {
    if (this.argv.length > 0) await this.parse(Version);
    const { oldest, newest } = MODELED_MINORS;
    this.print(`kubectl-backoff v${manifest.version}\nModel: kubelet v1.${oldest} to v1.${newest}\n`);
  }
}
