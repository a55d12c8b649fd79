import { registerHooks } from "node:module";
import type { explain } from "../../src/explain/explain.ts";
import { sourceWithout } from "./rules.ts";

const ROOT = new URL("../../", import.meta.url).href;
const MODEL = `${ROOT}src/`;

/** Marks the URLs of a model without some rules, so that Node.js loads its sources beside those of the whole model. */
const MARK = "?without=";

let hasHooks = false;

export async function explainWithout(names: readonly string[]): Promise<typeof explain> {
  if (!hasHooks) registerHooks({ resolve: withMark, load: loadedWithout });
  hasHooks = true;
  const mark = names.length === 0 ? "" : MARK + names.join(",");
  return (await import(`${MODEL}explain/explain.ts${mark}`)).explain;
}

const withMark: NonNullable<Parameters<typeof registerHooks>[0]["resolve"]> = (specifier, context, next) => {
  const resolved = next(specifier, context);
  const [, names] = context.parentURL?.split(MARK) ?? [];
  return names === undefined || !resolved.url.startsWith(MODEL)
    ? resolved
    : { ...resolved, url: resolved.url.split(MARK)[0] + MARK + names };
};

const loadedWithout: NonNullable<Parameters<typeof registerHooks>[0]["load"]> = (url, context, next) => {
  const loaded = next(url, context);
  const [file = "", names] = url.split(MARK);
  if (names === undefined || loaded.source == null) return loaded;
  return { ...loaded, source: sourceWithout(names.split(","), file.slice(ROOT.length), String(loaded.source)) };
};
