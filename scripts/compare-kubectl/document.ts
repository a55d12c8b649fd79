import type { Comparison } from "./run-case.ts";
import { isSame, tableOf } from "./table.ts";

const TITLES = [
  "Flags",
  "What a kubeconfig says",
  "What an identity provider is asked",
  "Who is trusted",
  "Proxies of the environment",
  "In a pod",
];

/** Renews the tables of `page`; everything before the first table stays. */
export function documentOf(page: string, sections: readonly (readonly Comparison[])[], version: string): string {
  const all = sections.flat();
  const tables = sections.map((comparisons, index) => `## ${TITLES[index]}\n\n${tableOf(comparisons)}\n`);
  const introduction = page.slice(0, page.indexOf(`## ${TITLES[0]}\n`));
  return `${introduction}${tables.join("\n")}
${all.length} cases with kubectl ${version}. ${counts(all)}.
`;
}

/** e.g. "The same are 215 with the executable and 215 with the JavaScript file" */
function counts(all: readonly Comparison[]): string {
  const names = [...(all[0]?.deeds.keys() ?? [])];
  const count = (name: (typeof names)[number]): number => all.filter((comparison) => isSame(comparison, name)).length;
  return `The same are ${names.map((name) => `${count(name)} with ${name}`).join(" and ")}`;
}
