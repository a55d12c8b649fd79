/** Where a list goes on: the version that it is of (-1: whatever is there), and the first key that may follow. */
interface ContinueToken {
  readonly version: number;
  readonly start: string;
}

/** Mirrors `EncodeContinue` (k8s.io/apiserver v0.37.1, pkg/storage/continue.go): after the last key that was given. */
export function encodeContinue({ version, start }: ContinueToken): string {
  const token = { v: "meta.k8s.io/v1", rv: version, start: `${start}\0` };
  return Buffer.from(JSON.stringify(token)).toString("base64url");
}

/** The token, or null if it is none. */
export function decodeContinue(text: string): ContinueToken | null {
  try {
    const { rv, start } = JSON.parse(Buffer.from(text, "base64url").toString());
    return typeof rv === "number" && typeof start === "string" ? { version: rv, start } : null;
  } catch {
    return null;
  }
}
