/** A kubeconfig of one context "test" with namespace "prod". */
export function kubeconfigFor(cluster: object, user: object = { token: "secret" }): object {
  return {
    clusters: [{ name: "here", cluster }],
    users: [{ name: "me", user }],
    contexts: [{ name: "test", context: { cluster: "here", user: "me", namespace: "prod" } }],
    "current-context": "test",
  };
}
