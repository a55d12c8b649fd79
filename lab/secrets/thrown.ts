import { PLACES, secretOf } from "./canary.ts";

export function allSecrets(): never {
  const message = PLACES.map((place) => `${secretOf(place)}\n    at ${secretOf(place)} (/a.ts:1:1)`).join("\n");
  throw Object.assign(new SyntaxError(message, { cause: new Error(secretOf("thrown message")) }), {
    headers: { Authorization: `Bearer ${secretOf("thrown field")}` },
    spawnargs: [secretOf("exec argument")],
  });
}
