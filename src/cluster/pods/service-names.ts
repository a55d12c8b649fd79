interface ServicePlace {
  readonly namespace: string;
  readonly name: string;
  /** Whether the name can't stand for anything outside the cluster. */
  readonly isCertain: boolean;
}

/**
 * Returns the Services that a host name may stand for in a pod of `namespace`, the likeliest first (kubernetes/dns,
 * docs/specification.md). Names are db, db.shop, db.shop.svc and db.shop.svc.cluster.local; before db, there can be the
 * name of a pod, as in db-0.db.
 */
export function servicePlaces(host: string, namespace: string): ServicePlace[] {
  const labels = host.replace(/\.$/, "").split(".");
  const svc = labels.indexOf("svc");
  if (svc !== -1) {
    const [name, inNamespace] = [labels[svc - 2], labels[svc - 1]];
    return name === undefined || inNamespace === undefined ? [] : [{ name, namespace: inNamespace, isCertain: true }];
  }
  const [first = "", second] = labels;
  if (second === undefined) return [{ name: first, namespace, isCertain: true }];
  if (labels.length > 2) return [];
  return [
    { name: first, namespace: second, isCertain: false },
    { name: second, namespace, isCertain: false },
  ];
}
