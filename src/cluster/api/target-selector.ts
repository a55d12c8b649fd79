import { UserError } from "../../errors.ts";
import { reading } from "../objects/declaration.ts";
import { at, fieldsOf } from "../objects/json-access.ts";
import { SELECTOR } from "../objects/workload.ts";

interface Requirement {
  readonly key: string;
  readonly operator: "In" | "NotIn" | "Exists" | "DoesNotExist" | "Gt" | "Lt";
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

/** See `Parse` (apimachinery v0.37.1, pkg/labels/selector.go). */
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
    return KEY.test(name) ? { key: name, operator: name === part ? "Exists" : "DoesNotExist", values: [] } : null;
  }
  const { key = "", operator = "", values = "" } = groups;
  const list = values.split(",").map((value) => value.trim());
  const isNumber = operator === "<" || operator === ">";
  if (!KEY.test(key) || list.some((value) => !(isNumber ? /^-?\d+$/ : VALUE).test(value))) return null;
  return { key, operator: OPERATORS[operator] ?? "In", values: list };
}

const OPERATORS: Readonly<Record<string, Requirement["operator"]>> = {
  "!=": "NotIn",
  notin: "NotIn",
  "<": "Lt",
  ">": "Gt",
};

/**
 * Returns null if the selector is empty or has an invalid part. A selector that lacks a part could match too many pods.
 */
export function selectorOfWorkload(raw: unknown): LabelSelector | null {
  const { value, unusable } = reading(SELECTOR, at(raw, "spec", "selector"));
  if (unusable.length > 0) return null;
  const requirements = [
    ...Object.entries(value.matchLabels).map(([key, label]): Requirement => ({ key, operator: "In", values: [label] })),
    ...value.matchExpressions.map(
      ({ key, operator, values }): Requirement => ({ key: key ?? "", operator: operator ?? "In", values }),
    ),
  ];
  if (requirements.length === 0) return null;
  return selectorOf(requirements, requirements.map(textOfRequirement).join(","));
}

/** Assumed: the selectors of workloads have these labels, and rarely others, such as a version, chart or team. */
const USUALLY_SELECTED =
  /^(app|k8s-app|name|role|tier|component|release|app\.kubernetes\.io\/(name|instance|component))$/;

export function likelySelectorOf(pod: unknown): LabelSelector | null {
  const labels = Object.entries(fieldsOf(at(pod, "metadata", "labels")));
  const matchLabels = Object.fromEntries(labels.filter(([key]) => USUALLY_SELECTED.test(key)));
  return selectorOfWorkload({ spec: { selector: { matchLabels } } });
}

function textOfRequirement({ key, operator, values }: Requirement): string {
  if (operator === "Exists") return key;
  if (operator === "DoesNotExist") return `!${key}`;
  if (operator === "In" && values.length === 1) return `${key}=${values[0]}`;
  return `${key} ${operator.toLowerCase()} (${values.join(",")})`;
}

function selectorOf(requirements: readonly Requirement[], text: string): LabelSelector {
  const isMet = ({ key, operator, values }: Requirement, labels: unknown): boolean => {
    const value = at(labels, key);
    return IS_MET[operator](typeof value === "string" ? value : null, values);
  };
  return { text, matches: (labels) => requirements.every((requirement) => isMet(requirement, labels)) };
}

const IS_MET: Readonly<Record<Requirement["operator"], (value: string | null, values: readonly string[]) => boolean>> =
  {
    In: (value, values) => value !== null && values.includes(value),
    // As in Kubernetes, `key!=value` also matches objects without the label.
    NotIn: (value, values) => value === null || !values.includes(value),
    Exists: (value) => value !== null,
    DoesNotExist: (value) => value === null,
    Gt: (value, [bound]) => value !== null && Number.parseInt(value, 10) > Number(bound),
    Lt: (value, [bound]) => value !== null && Number.parseInt(value, 10) < Number(bound),
  };
