interface ServicePlace {
  readonly namespace: string;
  readonly name: string;
  /** False for e.g. "example.com", which may be outside the cluster. */
  readonly isCertain: boolean;
}

/**
 * Returns Services that `host` may mean in a pod of `namespace` (see kubernetes/dns, docs/specification.md), the
 * assumed likeliest Service first. E.g. "db-0.db" can mean Service db-0 in namespace db, or pod db-0 of Service db.
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
