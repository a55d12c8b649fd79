import type { PodExplanation } from "../../explain/answer/explanation.ts";
import type { Times } from "../page/times.ts";
import type { Note } from "./notes.ts";

/** The objects above a pod in one line, and what they mean for its crashes; nothing for a pod of its own. */
export function ownerNotes({ owners = [], ownerEvidence = [] }: PodExplanation, times: Times): Note[] {
  if (owners.length === 0) return [];
  const steps = owners.map(({ kind, name, basis }) => `${kind} ${name}${basis === "inferred" ? " (by its name)" : ""}`);
  return [
    { label: "owner", text: ["pod", ...steps].join(" ← ") },
    ...ownerEvidence.map(({ basis, text }): Note => ({ label: basis, text: times.sentence(text) })),
  ];
}
