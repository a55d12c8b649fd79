const SUFFIXES: Readonly<Record<string, number>> = {
  ...{ n: 1e-9, u: 1e-6, m: 1e-3, "": 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 },
  ...{ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50, Ei: 2 ** 60 },
};

/** Rounds up, as `Quantity.Value` does with positive values (apimachinery v0.37.1, pkg/api/resource/quantity.go). */
export function bytesIn(quantity: string): number | null {
  const [, number, exponent, suffix = ""] =
    /^([+-]?(?:\d+\.?\d*|\.\d+))(?:[eE]([+-]?\d+)|([A-Za-z]{1,2}))?$/.exec(quantity) ?? [];
  const factor = exponent === undefined ? SUFFIXES[suffix] : 10 ** Number(exponent);
  if (number === undefined || factor === undefined) return null;
  const bytes = Math.ceil(Number(number) * factor);
  return Number.isFinite(bytes) ? bytes : null;
}
