const POWERS_OF_10: Readonly<Record<string, number>> = {
  ...{ n: -9, u: -6, m: -3, "": 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 },
};
const POWERS_OF_2: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

/** Rounds up, as `Quantity.Value` does with positive values (apimachinery v0.37.1, pkg/api/resource/quantity.go). */
export function bytesIn(quantity: string): number | null {
  const [, number, exponent, suffix = ""] =
    /^([+-]?(?:\d+\.?\d*|\.\d+))(?:[eE]([+-]?\d+)|([A-Za-z]{1,2}))?$/.exec(quantity) ?? [];
  const power = exponent ?? POWERS_OF_10[suffix];
  // A product with a power of 10 can be inexact, e.g. 8.3 * 1e6.
  const exact =
    power === undefined ? Number(number) * 2 ** (POWERS_OF_2[suffix] ?? Number.NaN) : Number(`${number}e${power}`);
  const bytes = Math.ceil(exact);
  return Number.isFinite(bytes) ? bytes : null;
}
