import { UserError } from "../../errors.ts";
import { reading } from "../objects/declaration.ts";
import { at, fieldsOf } from "../objects/json-access.ts";
import { SELECTOR } from "../objects/workload.ts";

interface Requirement {
  readonly key: string;
  readonly operator: "in" | "notin" | "exists" | "absent" | "greater" | "less";
  readonly values: readonly string[];
}

export interface LabelSelector {
  readonly text: string;
  matches(labels: unknown): boolean;
}

const KEY = /^([A-Za-z0-9.-]+\/)?[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?$/;
const VALUE = /^([A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?)?$/;
const SET = /^(?<key>\S+)\s+(?<operator>in|notin)\s*\((?<values>[^()]*)\)$/;
const PAIR = /^(?<key>[^=!<>\s]+)\s*(?<operator>==|=|!=|<|>)\s*(?<values>[^=!<>\s]*)$/;

/**
 * Parses a selector, e.g. `app=web,tier!=db,env in (a,b),!legacy`. Mirrors `labels.Parse` (k8s.io/apimachinery v0.37.1,
 * pkg/labels/selector.go). Throws a UserError if the selector is malformed.
 */
export function parseSelector(text: string): LabelSelector {
  const parts = text.trim() === "" ? [] : text.split(/,(?![^(]*\))/);
  const requirements = parts.map((part) => requirementIn(part.trim()));
  if (!requirements.every((requirement) => requirement !== null))
    throw new UserError("badFlag", "selector", text, 'labels such as app=web, tier!=db or "env in (a,b)"');
  return selectorOf(requirements, text.trim());
}

function requirementIn(part: string): Requirement | null {
  const groups = (SET.exec(part) ?? PAIR.exec(part))?.groups;
  if (groups === undefined) {
    const name = part.replace(/^!\s*/, "");
    return KEY.test(name) ? { key: name, operator: name === part ? "exists" : "absent", values: [] } : null;
  }
  const { key = "", operator = "", values = "" } = groups;
  const list = values.split(",").map((value) => value.trim());
  const isNumber = operator === "<" || operator === ">";
  if (!KEY.test(key) || list.some((value) => !(isNumber ? /^-?\d+$/ : VALUE).test(value))) return null;
  return { key, operator: OPERATORS[operator] ?? "in", values: list };
}

const OPERATORS: Readonly<Record<string, Requirement["operator"]>> = {
  "!=": "notin",
  notin: "notin",
  "<": "less",
  ">": "greater",
};

/**
 * Reads a workload's `spec.selector`. Null if the program cannot use a part of it, or if it is empty and would match
 * every pod.
 */
export function selectorOfWorkload(raw: unknown): LabelSelector | null {
  const { value, unusable } = reading(SELECTOR, at(raw, "spec", "selector"));
  // The readable part of a selector would match too many pods.
  if (unusable.length > 0) return null;
  const requirements = [
    ...Object.entries(value.matchLabels).map(([key, label]): Requirement => ({ key, operator: "in", values: [label] })),
    ...value.matchExpressions.map(
      ({ key, operator, values }): Requirement => ({ key: key ?? "", operator: OPERATOR_OF[operator ?? "In"], values }),
    ),
  ];
  if (requirements.length === 0) return null;
  return selectorOf(requirements, requirements.map(textOfRequirement).join(","));
}

/** The labels that selectors of workloads usually have. Pods have others besides, of their version, chart or team. */
const USUALLY_SELECTED =
  /^(app|k8s-app|name|role|tier|component|release|app\.kubernetes\.io\/(name|instance|component))$/;

/**
 * Guesses the selector of a pod's workload from the pod's labels; null if none of them is one that workloads usually
 * select by.
 */
export function likelySelectorOf(pod: unknown): LabelSelector | null {
  const labels = Object.entries(fieldsOf(at(pod, "metadata", "labels")));
  const matchLabels = Object.fromEntries(labels.filter(([key]) => USUALLY_SELECTED.test(key)));
  return selectorOfWorkload({ spec: { selector: { matchLabels } } });
}

const OPERATOR_OF = { In: "in", NotIn: "notin", Exists: "exists", DoesNotExist: "absent" } as const;

function textOfRequirement({ key, operator, values }: Requirement): string {
  if (operator === "exists") return key;
  if (operator === "absent") return `!${key}`;
  return operator === "in" && values.length === 1 ? `${key}=${values[0]}` : `${key} ${operator} (${values.join(",")})`;
}

function selectorOf(requirements: readonly Requirement[], text: string): LabelSelector {
  const isMet = ({ key, operator, values }: Requirement, labels: unknown): boolean => {
    const value = at(labels, key);
    return IS_MET[operator](typeof value === "string" ? value : null, values);
  };
  return { text, matches: (labels) => requirements.every((requirement) => isMet(requirement, labels)) };
}

/** Whether a label's value meets a requirement. `value` is null if the object lacks the label. */
const IS_MET: Readonly<Record<Requirement["operator"], (value: string | null, values: readonly string[]) => boolean>> =
  {
    in: (value, values) => value !== null && values.includes(value),
    // As in Kubernetes, `key!=value` also matches objects without the label.
    notin: (value, values) => value === null || !values.includes(value),
    exists: (value) => value !== null,
    absent: (value) => value === null,
    greater: (value, [bound]) => value !== null && Number.parseInt(value, 10) > Number(bound),
    less: (value, [bound]) => value !== null && Number.parseInt(value, 10) < Number(bound),
  };
