import { PLACES, secretOf } from "./canary.ts";

/**
 * Throws an error with all secrets in a message that looks like a stack, and some secrets in its cause and its fields.
 */
export function allSecrets(): never {
  const message = PLACES.map((place) => `${secretOf(place)}\n    at ${secretOf(place)} (/a.ts:1:1)`).join("\n");
  throw Object.assign(new SyntaxError(message, { cause: new Error(secretOf("thrown message")) }), {
    headers: { Authorization: `Bearer ${secretOf("thrown field")}` },
    spawnargs: [secretOf("exec argument")],
  });
}
