import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { expect, it } from "vitest";
import { loadCommands } from "../src/main.ts";
import { repositoryFile } from "./support/command.ts";

interface Template {
  readonly body: readonly {
    readonly type: string;
    readonly id?: string;
    readonly attributes: { readonly description?: string };
    readonly validations?: { readonly required: boolean };
  }[];
}

const TEXT = readFileSync(repositoryFile(".github/ISSUE_TEMPLATE/wrong-prediction.yml"), "utf8");

it("the issue about a wrong prediction asks for the report and for what --debug says, by flags that there are", async () => {
  const { body } = load(TEXT) as Template;
  const required = body.filter(({ validations }) => validations?.required === true).map(({ id }) => id);
  expect(required).toEqual(["happened", "report", "debug"]);
  const { explain } = await loadCommands();
  const flags = [...TEXT.matchAll(/--([a-z][a-z-]+)/g)].map(([, flag = ""]) => flag);
  expect([...new Set(flags)].sort()).toEqual(["debug", "report"]);
  expect(flags.filter((flag) => !Object.hasOwn(explain.flags, flag))).toEqual([]);
});
