import type { FieldForm } from "../cluster/objects/declaration.ts";
import { EVENT } from "../cluster/objects/event.ts";
import { at, isObject } from "../cluster/objects/json-access.ts";
import { KUBELET_CONFIG, kubeletConfigIn, NODE } from "../cluster/objects/node.ts";
import { OWNED_POD, POD } from "../cluster/objects/pod.ts";
import { CRON_JOB, SELECTOR, WORKLOAD } from "../cluster/objects/workload.ts";
import type { SourceObject } from "../explain/observed/observation.ts";

/** Copies only fields that src/cluster/objects declares, and none that it declares as secret. */
export function redactedCopies(objects: readonly SourceObject[], pod: string): readonly object[] {
  const selected = selectedLabels(objects);
  return objects.map(({ kind, raw }) => {
    const isExplained = kind === "Pod" && at(raw, "metadata", "name") === pod;
    const form = isExplained ? POD.form : (KINDS[kind]?.form ?? WORKLOAD.form);
    if (kind === "KubeletConfiguration") return { kubeletconfig: redacted(kubeletConfigIn(raw), form, selected) };
    const apiVersion = KINDS[kind]?.apiVersion ?? "apps/v1";
    return { apiVersion, kind, ...(redacted(raw, form, selected) as object) };
  });
}

const KINDS: Readonly<Record<string, { readonly form: FieldForm; readonly apiVersion?: string }>> = {
  Pod: { form: OWNED_POD.form, apiVersion: "v1" },
  Event: { form: EVENT.form, apiVersion: "v1" },
  Node: { form: NODE.form, apiVersion: "v1" },
  Job: { form: WORKLOAD.form, apiVersion: "batch/v1" },
  CronJob: { form: CRON_JOB.form, apiVersion: "batch/v1" },
  KubeletConfiguration: { form: KUBELET_CONFIG.form },
};

type SelectedLabels = ReadonlySet<string>;

function selectedLabels(objects: readonly SourceObject[]): SelectedLabels {
  const selectors = objects.map(({ raw }) => SELECTOR.read(at(raw, "spec", "selector"), []));
  return new Set(
    selectors.flatMap(({ matchLabels, matchExpressions }) => [
      ...Object.keys(matchLabels),
      ...matchExpressions.flatMap(({ key }) => key ?? []),
    ]),
  );
}

/** Replaces an unusable value with an unusable {} or [], so that an explanation of the copy can mention the problem. */
function redacted(value: unknown, form: FieldForm, selected: SelectedLabels): unknown {
  if (value === undefined || value === null || value === "") return value;
  switch (form.type) {
    case "value":
      if (!form.isUsable(value)) return {};
      return form.isSecret ? undefined : value;
    case "list":
      return Array.isArray(value)
        ? value.map((item) => redacted(item, form.item, selected)).filter((item) => item !== undefined)
        : {};
    case "map":
      return isObject(value) ? redactedMap(value, form, selected) : [];
    case "object": {
      if (!isObject(value)) return [];
      const fields = Object.entries(form.fields).filter(([name]) => Object.hasOwn(value, name));
      return Object.fromEntries(fields.map(([name, field]) => [name, redacted(value[name], field.form, selected)]));
    }
  }
}

/** Leaves out unknown keys, but not keys that a selector uses, and not keys with an unusable value. */
function redactedMap(
  value: Readonly<Record<string, unknown>>,
  form: Extract<FieldForm, { type: "map" }>,
  selected: SelectedLabels,
): object {
  const entries = Object.entries(value).filter(([key, item]) => {
    const isUsable = item === null || form.value.type !== "value" || form.value.isUsable(item);
    return form.keys.includes(key) || selected.has(key) || !isUsable;
  });
  return Object.fromEntries(entries.map(([key, item]) => [key, redacted(item, form.value, selected)]));
}
