import { EXPLAIN_FORMS, LIST_FORMS, STRATEGIES_FORMS } from "../../src/render/forms.ts";

type Loads = Readonly<Record<string, () => Promise<unknown>>>;

export async function loaded<Forms extends Loads>(forms: Forms) {
  const renderers = await Promise.all(Object.entries(forms).map(async ([form, load]) => [form, await load()]));
  return Object.fromEntries(renderers) as { readonly [Form in keyof Forms]: Awaited<ReturnType<Forms[Form]>> };
}

export const RENDERERS = await loaded(EXPLAIN_FORMS);
export const LIST_RENDERERS = await loaded(LIST_FORMS);
export const STRATEGIES_RENDERERS = await loaded(STRATEGIES_FORMS);
