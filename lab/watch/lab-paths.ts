/** Where things are in the lab. */
export const LAB_PATHS = {
  pods: "/api/v1/namespaces/prod/pods",
  events: "/api/v1/namespaces/prod/events",
  nodes: "/api/v1/nodes",
  nodeEvents: "/api/v1/namespaces/default/events",
  config: "/api/v1/nodes/node-a/proxy/configz",
} as const;
