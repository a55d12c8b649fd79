import { describe, expect, it } from "vitest";
import { toPodSnapshot } from "../../src/cluster/objects/pod.ts";
import { settingsOf } from "../../src/explain/words/settings.ts";
import { aRawPod } from "../support/raw-objects.ts";

const PROBE = { exec: { command: ["check", "--password=hunter2"] } };
const CONTAINER = {
  name: "app",
  image: "web:1",
  command: ["/app", "--token", "hunter2", "--port", "80"],
  env: [
    { name: "DB_HOST", value: "db" },
    { name: "DB_URL", value: "postgres://web:hunter2@db/web" },
    { name: "API_TOKEN", value: "hunter2" },
    { name: "EMPTY" },
    { name: "DB_PASSWORD", valueFrom: { secretKeyRef: { name: "db", key: "password" } } },
    { name: "POD_IP", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } },
  ],
  envFrom: [{ configMapRef: { name: "web-config" } }, { secretRef: { name: "web-secret" } }],
  volumeMounts: [
    { name: "config", mountPath: "/etc/web", readOnly: true },
    { name: "data", mountPath: "/data" },
    { name: "cache", mountPath: "/cache" },
  ],
  resources: { limits: { cpu: "500m", memory: "64Mi" } },
  livenessProbe: PROBE,
};
const VOLUMES = [
  { name: "config", configMap: { name: "web-config" } },
  { name: "data", persistentVolumeClaim: { claimName: "data-0" } },
  { name: "cache", emptyDir: {} },
];

describe("settingsOf()", () => {
  const pod = toPodSnapshot(aRawPod({ spec: { nodeName: "node-a", containers: [CONTAINER], volumes: VOLUMES } }));
  const [spec] = pod.containers;
  const settings = spec && settingsOf(spec, pod);

  it("has the settings that kubectl describe shows, without possible secrets", () => {
    expect(settings).toMatchObject({
      command: "/app --token *** --port 80",
      variables: [
        "DB_HOST=db",
        "DB_URL=postgres://***@db/web",
        "API_TOKEN=***",
        "EMPTY=",
        "DB_PASSWORD from secret db key password",
        "POD_IP from status.podIP",
      ],
      variableSources: ["configmap web-config", "secret web-secret"],
      mounts: ["/etc/web (configmap web-config, read-only)", "/data (pvc data-0)", "/cache (cache)"],
      cpuLimit: "500m",
      memoryLimit: "64Mi",
      livenessProbe: { request: "check --password=***" },
    });
    expect(JSON.stringify(settings)).not.toContain("hunter2");
  });

  it("has the arguments alone if the image sets the command", () => {
    const container = { name: "app", image: "web:1", args: ["--port", "80", "--token", "hunter2"] };
    const withArgs = toPodSnapshot(aRawPod({ spec: { nodeName: "node-a", containers: [container] } }));
    const [argsSpec] = withArgs.containers;
    const withoutCommand = argsSpec && settingsOf(argsSpec, withArgs);
    expect(withoutCommand).toMatchObject({ args: "--port 80 --token ***" });
    expect(withoutCommand).not.toHaveProperty("command");
  });

  it.each([
    { command: ["sh", "-c", "echo ready; sleep 1"], printed: "sh -c 'echo ready; sleep 1'" },
    { command: ["test", "-f", "/tmp/it's up"], printed: `test -f "/tmp/it's up"` },
    { command: ["echo", `it's "$HOME"`], printed: `echo 'it'\\''s "$HOME"'` },
    { command: ["web", "--password=it's hunter2"], printed: 'web "--password=***"' },
    { command: ["web", "--password=hunter2 or hunter3"], printed: "web '--password=***'" },
    { command: ["web", "--password", "hunter2 or hunter3"], printed: "web --password ***" },
    { command: ["web", "-p", "hunter2 or hunter3"], printed: "web -p ***" },
    { command: ["sh", "-c", "PASSWORD='hunter2 or hunter3'; web"], printed: 'sh -c "PASSWORD=***; web"' },
    { command: ["sh", "-c", `PASSWORD='hunter2 or "hunter3"'; web`], printed: "sh -c 'PASSWORD=***" },
    { command: ["sh", "-c", 'PASSWORD="hunter2 or hunter3"; web'], printed: "sh -c 'PASSWORD=***; web'" },
  ])("quotes the words of a command for a shell, and hides its secrets: $printed", ({ command, printed }) => {
    const container = { ...CONTAINER, command, livenessProbe: { exec: { command } } };
    const quoted = toPodSnapshot(aRawPod({ spec: { nodeName: "node-a", containers: [container] } }));
    const [quotedSpec] = quoted.containers;
    expect(quotedSpec && settingsOf(quotedSpec, quoted)).toMatchObject({
      command: printed,
      livenessProbe: { request: printed },
    });
  });
});
