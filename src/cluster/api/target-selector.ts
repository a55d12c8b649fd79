import { UserError } from "../../errors.ts";
import { reading } from "../objects/declaration.ts";
import { at } from "../objects/untrusted.ts";
import { SELECTOR } from "../objects/workload.ts";

/** One condition on an object's labels. */
interface Requirement {
  readonly key: string;
  readonly operator: "in" | "notin" | "exists" | "absent" | "greater" | "less";
  readonly values: readonly string[];
}

/** Conditions that all have to hold. */
export interface LabelSelector {
  /** As the API server takes it. */
  readonly text: string;
  matches(labels: unknown): boolean;
}

const KEY = /^([A-Za-z0-9.-]+\/)?[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?$/;
const VALUE = /^([A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?)?$/;
const SET = /^(?<key>\S+)\s+(?<operator>in|notin)\s*\((?<values>[^()]*)\)$/;
const PAIR = /^(?<key>[^=!<>\s]+)\s*(?<operator>==|=|!=|<|>)\s*(?<values>[^=!<>\s]*)$/;

/**
 * A selector as kubectl takes it: `app=web,tier!=db,env in (a,b),!legacy`. Mirrors `labels.Parse` (k8s.io/apimachinery
 * v0.37.1, pkg/labels/selector.go). A usage error for what is none.
 */
export function parseSelector(text: string): LabelSelector {
  const parts = text.split(/,(?![^(]*\))/).map((part) => part.trim());
  const requirements = text.trim() === "" ? [] : parts.map((part) => requirementIn(part) ?? refuse(text));
  return selectorOf(requirements, text.trim());
}

function refuse(text: string): never {
  throw new UserError("badFlag", "selector", text, 'labels such as app=web, tier!=db or "env in (a,b)"');
}

function requirementIn(part: string): Requirement | null {
  const groups = (SET.exec(part) ?? PAIR.exec(part))?.groups;
  if (groups === undefined) return existence(part);
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

function existence(part: string): Requirement | null {
  const key = part.replace(/^!\s*/, "");
  return KEY.test(key) ? { key, operator: key === part ? "exists" : "absent", values: [] } : null;
}

/** The `spec.selector` of a workload; null if it has none, for it would then choose everything. */
export function selectorOfWorkload(raw: unknown): LabelSelector | null {
  const { value, unusable } = reading(SELECTOR, at(raw, "spec", "selector"));
  // Half of a selector would choose more than was meant.
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

const OPERATOR_OF = { In: "in", NotIn: "notin", Exists: "exists", DoesNotExist: "absent" } as const;

function textOfRequirement({ key, operator, values }: Requirement): string {
  if (operator === "exists") return key;
  if (operator === "absent") return `!${key}`;
  return operator === "in" && values.length === 1 ? `${key}=${values[0]}` : `${key} ${operator} (${values.join(",")})`;
}

function selectorOf(requirements: readonly Requirement[], text: string): LabelSelector {
  return { text, matches: (labels) => requirements.every((requirement) => isMet(requirement, labels)) };
}

/** As Kubernetes has it, `key!=value` also holds without the label. */
function isMet({ key, operator, values }: Requirement, labels: unknown): boolean {
  const value = at(labels, key);
  const isThere = typeof value === "string";
  switch (operator) {
    case "in":
      return isThere && values.includes(value);
    case "notin":
      return !isThere || !values.includes(value);
    case "exists":
      return isThere;
    case "absent":
      return !isThere;
    case "greater":
      return isThere && Number.parseInt(value, 10) > Number(values[0]);
    case "less":
      return isThere && Number.parseInt(value, 10) < Number(values[0]);
  }
}
