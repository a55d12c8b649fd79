import type { Interfaces } from "@oclif/core";
import manifest from "../../package.json" with { type: "json" };
import { MODELED_MINORS } from "../kubelet/versions.ts";
import { API_VERSION } from "../render/json/json-values.ts";
import { BackoffCommand } from "./base/backoff-command.ts";
import { oneOfForm, valueIn } from "./flags/flag-values.ts";

const VERSION = {
  apiVersion: API_VERSION,
  kind: "Version",
  version: `v${manifest.version}`,
  model: { oldest: `v1.${MODELED_MINORS.oldest}`, newest: `v1.${MODELED_MINORS.newest}` },
};

export default class Version extends BackoffCommand {
  static override summary = "Print the version of this program, and of the kubelets that its model is for.";
  // Written by hand, because oclif's functions for flags load slowly.
  static override flags: Interfaces.FlagInput = {
    output: {
      ...{
        name: "output",
        type: "option",
        char: "o",
        helpValue: "json|yaml",
        multiple: false,
        input: [],
      },
      description: "Output format for programs",
      parse: async (form: string) => valueIn("output", form, oneOfForm(["json", "yaml"])),
    },
    client: {
      ...{ name: "client", type: "boolean", allowNo: false },
      description: "Accepted because kubectl version has it; this command never asks the server",
      parse: async (isSet: boolean) => isSet,
    },
  };

  async run(): Promise<number> {
    const form = this.argv.length > 0 ? (await this.parse(Version)).flags["output"] : undefined;
    this.print(form === undefined ? TEXT : await textFor(form), form);
    return 0;
  }
}

const TEXT = `kubectl-backoff ${VERSION.version}\nModel: kubelet ${VERSION.model.oldest} to ${VERSION.model.newest}\n`;

async function textFor(form: "json" | "yaml"): Promise<string> {
  if (form === "json") return (await import("../render/json/json.ts")).jsonText(VERSION);
  return (await import("../render/json/yaml.ts")).yamlText(VERSION);
}
