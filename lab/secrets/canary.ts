import { createHash } from "node:crypto";
import { KEY } from "../../test/support/tls-fixtures.ts";

export const PLACES = [
  ...["token", "other user's token", "token file", "password", "client key", "exec argument", "exec environment"],
  ...["exec token", "exec garbage", "id token", "renewed id token", "refresh token", "client secret", "access token"],
  ...["provider argument", "provider garbage", "password in the server's address", "password in proxy-url"],
  ...["password in HTTPS_PROXY", "password in a wrong proxy", "extension", "broken kubeconfig", "broken input"],
  ...["token flag", "password flag", "misspelled flag", "environment of the program", "thrown message", "thrown field"],
  ...["Secret's data", "Secret's annotation", "Secret's managed fields", "ConfigMap's data"],
  ...["annotation", "managed fields", "label", "env", "command", "args", "probe", "lifecycle", "volume", "pull secret"],
  ...[
    "URL in env",
    "flag in env",
    "owner's template",
    "revision's data",
    "node's annotation",
    "event's annotation",
    "Service's annotation",
    "EndpointSlice's annotation",
    "configz",
  ],
] as const;

export type Place = (typeof PLACES)[number];

/** Only consonants, so that words of the output do not look like a part of a secret. */
const LETTERS = "bcdfghjklmnpqrst";
/** In letters. A shorter part of a secret stays undetected. */
const PART = 6;
const ENCODED_PART = 12;

export function secretOf(place: Place): string {
  const hash = createHash("sha256").update(place).digest("hex").slice(0, 32);
  return hash.replaceAll(/./g, (digit) => LETTERS[Number.parseInt(digit, 16)] ?? "");
}

export function leaksIn(text: string): Place[] {
  const found = new Set<Place>();
  for (const [run] of text.toLowerCase().matchAll(LONG_RUNS)) {
    for (let at = 0; at + PART <= run.length; at++) {
      const place = PARTS.get(run.slice(at, at + PART));
      if (place !== undefined) found.add(place);
    }
  }
  for (const [encoded, place] of ENCODED) if (text.includes(encoded)) found.add(place);
  return [...found].sort();
}

const LONG_RUNS = new RegExp(`[${LETTERS}]{${PART},}`, "g");
const PARTS = new Map(PLACES.flatMap((place) => partsOf(secretOf(place)).map((part) => [part, place] as const)));
const ENCODED = [...PLACES.flatMap((place) => base64Of(place)), ...keyLines()];

function partsOf(secret: string): string[] {
  return Array.from({ length: secret.length - PART + 1 }, (_, at) => secret.slice(at, at + PART));
}

/**
 * Base64 depends on where in the text the secret begins. The characters at both ends depend on its neighbours, and are
 * left out.
 */
function base64Of(place: Place): (readonly [string, Place])[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.from(`${"-".repeat(before)}${secretOf(place)}`);
    return [bytes.toString("base64").slice(4, 4 + ENCODED_PART), place] as const;
  });
}

/** A leak may show lines of the key's PEM or, as in a kubeconfig, the Base64 of the PEM. */
function keyLines(): (readonly [string, Place])[] {
  const { pem } = KEY;
  const lines = [
    ...pem.split("\n").filter((line) => /^[\w+/=]+$/.test(line)),
    Buffer.from(pem).toString("base64").slice(60),
  ];
  const parts = lines.flatMap((line) => line.match(/.{16}/g) ?? []);
  return parts.map((part) => [part, "client key"] as const);
}
