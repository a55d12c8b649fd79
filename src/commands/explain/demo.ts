import * as Flags from "@oclif/core/flags";
import { findExample, listExamples, observeExample } from "../../cluster/files/examples.ts";
import { UserError } from "../../errors.ts";
import { explainWithOwners } from "../../explain/owners/owner-explanation.ts";
import { EXPLAIN_FORMS, FORMS } from "../../render/forms.ts";
import { renderNamed } from "../../render/help.ts";
import { BackoffCommand } from "../base/backoff-command.ts";
import { withOneContainer } from "../base/one-container.ts";
import { DEFAULT_LINES, OUTPUT_FLAGS } from "../flags/explain-flags.ts";
import { DEBUG_FLAG, wordArgument } from "../flags/flags.ts";

export default class Demo extends BackoffCommand {
  static override summary = "Explain a bundled recording of a real crash loop: no cluster needed.";

  static override examples = [
    "# See what an explanation looks like\n  kubectl backoff demo",
    "# List the recordings\n  kubectl backoff demo --list",
  ];

  static override usage = "demo [NAME] [FLAGS]";

  static override args = { name: wordArgument("Name of a recording. Default: a good first one") };

  static override flags = {
    list: Flags.boolean({ description: "List the recordings" }),
    ...OUTPUT_FLAGS,
    ...DEBUG_FLAG,
  };

  async run(): Promise<number> {
    const {
      words: [name],
      flags,
    } = await this.parse(Demo);
    if (flags.list) {
      if (name !== undefined) throw new UserError("exclusive", ["--list", name]);
      if (flags.output !== "table") throw new UserError("exclusive", ["--list", `-o ${flags.output}`]);
      this.print(renderNamed(listExamples(), this.rowColumns()));
      return 0;
    }
    const tail = FORMS[flags.output].logs === "by-default" ? DEFAULT_LINES : 0;
    const observation = await observeExample(findExample(name), tail);
    this.trace?.endStage("input");
    const explanation = explainWithOwners(observation, {}, { container: flags.container });
    this.trace?.endStage("explain");
    this.trace?.printNow(observation);
    const render = await EXPLAIN_FORMS[flags.output]();
    this.print(render(withOneContainer(explanation, flags.container), this.renderOptions(flags.color)), flags.output);
    this.trace?.endStage("render");
    return 0;
  }
}
