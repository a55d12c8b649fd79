export function kubeconfigFor(cluster: object, user: object = { token: "secret" }, namespace = "prod"): object {
  return {
    clusters: [{ name: "here", cluster }],
    users: [{ name: "me", user }],
    contexts: [{ name: "test", context: { cluster: "here", user: "me", namespace } }],
    "current-context": "test",
  };
}
