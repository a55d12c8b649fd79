import { isDeepStrictEqual } from "node:util";
import { markdownTable } from "../markdown-table.ts";
import type { Comparison, Deed, Program } from "./run-case.ts";

const TITLES = [
  "Flags",
  "What a kubeconfig says",
  "What an identity provider is asked",
  "Who is trusted",
  "Proxies of the environment",
  "In a pod",
];

export function documentOf(page: string, sections: readonly (readonly Comparison[])[], version: string): string {
  const all = sections.flat();
  const tables = sections.map((comparisons, index) => `## ${TITLES[index]}\n\n${tableOf(comparisons)}\n`);
  const introduction = page.slice(0, page.indexOf(`## ${TITLES[0]}\n`));
  return `${introduction}${tables.join("\n")}
${all.length} cases with kubectl ${version}. ${counts(all)}.
`;
}

function counts(all: readonly Comparison[]): string {
  const names = [...(all[0]?.deeds.keys() ?? [])];
  const count = (name: (typeof names)[number]): number => all.filter((comparison) => isSame(comparison, name)).length;
  return `The same are ${names.map((name) => `${count(name)} with ${name}`).join(" and ")}`;
}

export function isSame({ kubectl, deeds }: Comparison, name: Program["name"]): boolean {
  const deed = deeds.get(name);
  return deed !== undefined && isDeepStrictEqual(comparable(kubectl), comparable(deed));
}

function comparable({ pod, proxied, pluginRuns, logins }: Deed): object {
  // A kubectl that gets no further tries several times, and may run the plugin each time.
  return { pod, proxied, logins, pluginRuns: pod === null ? null : pluginRuns };
}

function tableOf(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map((comparison) => {
    const { case: asked, kubectl } = comparison;
    return [code(asked.name), sentence(kubectl), verdict(comparison)];
  });
  return markdownTable(["with", "kubectl sends", "kubectl backoff"], rows).join("\n");
}

function verdict(comparison: Comparison): string {
  const names = [...comparison.deeds.keys()];
  const different = names.filter((name) => !isSame(comparison, name));
  if (different.length === 0) return "same";
  const who = different.length === names.length ? "" : ` (${different.join(", ")})`;
  return `**different**${who}: ${comparison.case.different ?? "not expected"}`;
}

function sentence({ pod, proxied, pluginRuns, logins }: Deed): string {
  const before = [...(proxied === null ? [] : [`CONNECT ${code(proxied)}`]), ...logins.map(code)];
  if (pod === null) return before.length === 0 ? "nothing" : `${before.join("<br>")} and no more`;
  return [
    ...before,
    code(`${pod.scheme}: ${pod.path}`),
    ...pod.headers.map((header) => code(shortened(header))),
    ...(pod.isCompressionAccepted === true ? ["gzip"] : []),
    ...(pod.serverName === null ? [] : [`TLS name ${code(pod.serverName)}`]),
    ...(pod.clientCertificate === null ? [] : [`certificate of ${code(pod.clientCertificate)}`]),
    ...(pluginRuns === 0 ? [] : [`plugin run ${pluginRuns === 1 ? "once" : `${pluginRuns} times`}`]),
  ].join("<br>");
}

function code(text: string): string {
  return `\`${text.replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:PORT")}\``;
}

const LONGEST_HEADER = 60;

function shortened(header: string): string {
  return header.length > LONGEST_HEADER ? `${header.slice(0, LONGEST_HEADER)}…` : header;
}
