import type { ContainerExplanation } from "../../explain/answer/explanation.ts";
import type { Tone } from "./paint.ts";
import { isInTrouble } from "./trouble.ts";

/** What stands behind the name of a container that is no app container, e.g. " (init)"; else empty. */
export function roleSuffix({ type }: Pick<ContainerExplanation, "type">): string {
  return type === "app" ? "" : ` (${type})`;
}

/** The tone of a container's state. */
export function stateTone(container: ContainerExplanation): Tone {
  if (container.state === "backing-off" || container.state === "failed") return "bad";
  if (isInTrouble(container)) return "uneasy";
  return container.state === "running" ? "good" : "quiet";
}
