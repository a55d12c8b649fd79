import { PLACES, secretOf } from "./canary.ts";

/** Throws all secrets: in a message that looks like a stack, and in fields. */
export function allSecrets(): never {
  const message = PLACES.map((place) => `${secretOf(place)}\n    at ${secretOf(place)} (/a.ts:1:1)`).join("\n");
  throw Object.assign(new SyntaxError(message, { cause: new Error(secretOf("thrown message")) }), {
    headers: { Authorization: `Bearer ${secretOf("thrown field")}` },
    spawnargs: [secretOf("exec argument")],
  });
}
