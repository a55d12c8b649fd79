import { describe, expect, it } from "vitest";
import type { Explanation } from "../../src/explain/answer/explanation.ts";
import { explanation } from "../support/explanations.ts";
import { inferredOwner, stuckRollout } from "../support/group-situations.ts";
import { longLoop } from "../support/long-situations.ts";
import { RENDER_OPTIONS } from "../support/page.ts";
import { RENDERERS } from "../support/renderers.ts";
import { SITUATIONS } from "../support/situations.ts";

const GROUPED = { "stuck-rollout": stuckRollout(), "inferred-owner": inferredOwner() };
const ALL: Readonly<Record<string, Explanation>> = { ...SITUATIONS, ...GROUPED, "long-loop": longLoop() };

type Form = keyof typeof RENDERERS;

function printed(form: Form, name: string, options: Partial<typeof RENDER_OPTIONS> = {}): string {
  return RENDERERS[form](ALL[name] as Explanation, { ...RENDER_OPTIONS, ...options });
}

describe.each([...Object.keys(SITUATIONS), ...Object.keys(GROUPED)])("the table of %s", (name) => {
  it.each([80, 120])("equals its golden file at %d columns", async (columns) => {
    await expect(printed("table", name, { columns })).toMatchFileSnapshot(`../golden/${name}.${columns}.txt`);
  });
});

describe.each(Object.keys(SITUATIONS))("the table of %s in colours", (name) => {
  it.each([80, 120])("equals its golden file at %d columns", async (columns) => {
    const coloured = printed("table", name, { columns, color: true });
    await expect(coloured).toMatchFileSnapshot(`../golden/colour/${name}.${columns}.txt`);
  });
});

it.each([20, 45, 59])("the table becomes a list at %d columns", async (columns) => {
  await expect(printed("table", "init-loop", { columns })).toMatchFileSnapshot(`../golden/init-loop.${columns}.txt`);
});

it.each(["shown-as-error", "killed-by-liveness", "many-containers", "long-loop"])(
  "the wide form of %s equals its golden file",
  async (name) => {
    for (const columns of [80, 120])
      await expect(printed("wide", name, { columns })).toMatchFileSnapshot(`../golden/${name}.wide.${columns}.txt`);
  },
);

it.each<[Form, string]>([
  ["html", "shown-as-error"],
  ["json", "shown-as-error image-pull-back-off up-after-crashes"],
  ["yaml", "shown-as-error image-pull-back-off up-after-crashes"],
  ["svg", "shown-as-error up-after-crashes reset-during-the-wait init-loop image-pull-back-off many-containers"],
  ["svg", "many-pods wide-characters long-loop"],
])("-o %s equals its golden file: %s", async (form, names) => {
  for (const name of names.split(" "))
    await expect(printed(form, name)).toMatchFileSnapshot(`../golden/${name}.${form}`);
});

it.each(["table", "wide", "svg", "html", "md", "name"] as const)("-o %s is empty without any pod", (form) => {
  expect(RENDERERS[form](explanation("13:40:00", []), RENDER_OPTIONS)).toBe("");
});

describe("the page of one container", () => {
  const single = Object.entries(SITUATIONS).filter(
    ([, { pods }]) => pods.length === 1 && pods[0]?.containers.length === 1,
  );

  it.each(single)("of %s has at most 12 lines besides the log and the next steps", (_, situation) => {
    const text = RENDERERS.table(situation, RENDER_OPTIONS)
      .replace(/^Log .*\n( {11}.*\n)*/m, "")
      .replace(/^Next\n( .*\n)*/m, "");
    expect(text.split("\n").filter((line) => line !== "").length).toBeLessThanOrEqual(12);
  });
});
