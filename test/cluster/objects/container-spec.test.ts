import { describe, expect, it } from "vitest";
import { toPodSnapshot } from "../../../src/cluster/objects/pod.ts";

const containerSpecsOf = (spec: unknown) => toPodSnapshot({ spec }).containers;

function only(container: object) {
  return containerSpecsOf({ containers: [{ name: "app", ...container }] })[0];
}

const DEFAULTS = { initialDelayMs: 0, periodMs: 10_000, timeoutMs: 1000, failureThreshold: 3, gracePeriodMs: null };

describe("the containers of toPodSnapshot()", () => {
  it("lists init containers and sidecars in the spec's order, then app, then ephemeral containers", () => {
    const proxy = { name: "proxy", restartPolicy: "Always" };
    const specs = containerSpecsOf({
      ephemeralContainers: [{ name: "debugger" }],
      containers: [{ name: "app" }, { name: "helper" }],
      initContainers: [{ name: "setup" }, proxy, { name: "migrate", restartPolicy: "Never" }],
    });
    expect(specs.map(({ name, type }) => `${name} ${type}`)).toEqual([
      ...["setup init", "proxy sidecar", "migrate init", "app app", "helper app", "debugger ephemeral"],
    ]);
  });

  it("reads image, pull policy, restart policy and the postStart hook", () => {
    const own = { image: "registry.example/web:1", imagePullPolicy: "Never", restartPolicy: "OnFailure" };
    const spec = only({ ...own, lifecycle: { postStart: { exec: { command: ["true"] } } } });
    expect(spec).toMatchObject({ ...own, hasPostStart: true });
    expect(only({ lifecycle: { preStop: {} } })).toMatchObject({ hasPostStart: false, restartPolicy: null });
  });

  it.each([
    { handler: { httpGet: { path: "/healthz", port: 8080 } }, request: "GET :8080/healthz" },
    {
      handler: { httpGet: { host: "127.0.0.1", path: "livez", port: 10259, scheme: "HTTPS" } },
      request: "GET https://127.0.0.1:10259/livez",
    },
    { handler: { tcpSocket: { port: "db" } }, request: "TCP :db" },
    { handler: { tcpSocket: { host: "db.example", port: 5432 } }, request: "TCP db.example:5432" },
    { handler: { grpc: { port: 9000, service: "ready" } }, request: "gRPC :9000 ready" },
    { handler: { exec: { command: ["cat", "/tmp/is healthy"] } }, request: "cat '/tmp/is healthy'" },
  ])("reads the request of a probe: $request", ({ handler, request }) => {
    expect(only({ livenessProbe: handler })?.livenessProbe?.request).toBe(request);
  });

  it.each([
    { memory: "64Mi", memoryLimit: "64Mi" },
    { memory: "1.5G", memoryLimit: "1.5G" },
    { memory: 64, memoryLimit: "64" },
  ])("reads the memory limit $memory as $memoryLimit", ({ memory, memoryLimit }) => {
    expect(only({ resources: { limits: { memory, cpu: "1" } } })?.memoryLimit).toBe(memoryLimit);
  });

  it.each([
    { app: { running: {} }, init: { running: {} }, type: "sidecar" },
    { app: { waiting: { reason: "PodInitializing" } }, init: { running: {} }, type: "init" },
    { app: { running: {} }, init: { terminated: { exitCode: 0 } }, type: "init" },
  ])(
    "takes containers that the spec lacks from the status: an init container $init beside an app $app is of type $type",
    ({ app, init, type }) => {
      const pod = toPodSnapshot({
        spec: { containers: [{ name: "app" }] },
        status: {
          initContainerStatuses: [{ name: "setup", image: "setup:1", state: init }],
          containerStatuses: ["app", "helper"].map((name) => ({ name, state: app })),
          ephemeralContainerStatuses: [{ name: "debugger" }],
        },
      });
      const told = pod.containers.map((one) => `${one.name} ${one.type} ${one.image} ${one.isFromStatus ?? false}`);
      expect(told).toEqual([
        "app app  false",
        `setup ${type} setup:1 true`,
        "helper app  true",
        "debugger ephemeral  true",
      ]);
    },
  );

  it.each([
    { probe: {}, expected: DEFAULTS, why: "fields that are not set have the API's defaults" },
    {
      probe: { periodSeconds: 0, timeoutSeconds: 0, failureThreshold: 0 },
      expected: DEFAULTS,
      why: "a field of 0 counts as not set",
    },
    {
      probe: { initialDelaySeconds: -3, periodSeconds: "4", failureThreshold: [1] },
      expected: DEFAULTS,
      why: "a negative number, a text and an array",
    },
    {
      probe: {
        ...{ initialDelaySeconds: 3, periodSeconds: 4, timeoutSeconds: 2, failureThreshold: 1 },
        terminationGracePeriodSeconds: 7,
      },
      expected: { initialDelayMs: 3000, periodMs: 4000, timeoutMs: 2000, failureThreshold: 1, gracePeriodMs: 7000 },
      why: "fields that are set",
    },
  ])("reads probes: $why", ({ probe, expected }) => {
    expect(only({ livenessProbe: probe })?.livenessProbe).toEqual(expected);
    expect(only({ startupProbe: probe })?.startupProbe).toEqual(expected);
    expect(only({ readinessProbe: probe })).toMatchObject({ livenessProbe: null, startupProbe: null });
  });

  it("reads restart rules, and leaves out those of a kind it does not know", () => {
    const rules = [
      { action: "Restart", exitCodes: { operator: "In", values: [42, "43", 44] } },
      { action: "RestartAllContainers", exitCodes: { operator: "NotIn", values: [0] } },
      { action: "Explode", exitCodes: { operator: "In", values: [1] } },
      { action: "Restart", exitCodes: { operator: "Near", values: [1] } },
      { action: "Restart" },
      "Restart",
    ];
    expect(only({ restartPolicyRules: rules })?.restartPolicyRules).toEqual([
      { action: "Restart", operator: "In", exitCodes: [42, 44] },
      { action: "RestartAllContainers", operator: "NotIn", exitCodes: [0] },
    ]);
  });
});
