export interface Scenario {
  readonly name: string;
  readonly spec: object;
}

type Container = { readonly name: string; readonly [field: string]: unknown };

/** The nodes must hold this image, because nothing is pulled. The scenarios need sh, sleep and cat. */
const IMAGE = "localhost/busybox:1";

const COUNTER_VOLUME = { name: "counter", emptyDir: {} };

const FOREVER = "sleep 100000";

function scripted(name: string, script: string, more: object = {}): Container {
  return { name, image: IMAGE, imagePullPolicy: "Never", command: ["/bin/sh", "-c", script], ...more };
}

function exiting(name: string, exitCode: number, afterSeconds: number, more: object = {}): Container {
  return scripted(name, `sleep ${afterSeconds}; exit ${exitCode}`, more);
}

function steady(name: string): Container {
  return scripted(name, FOREVER);
}

/** Ignores SIGTERM: only the end of the grace period stops the container. */
function stubborn(name: string, more: object = {}): Container {
  return scripted(name, STUBBORN, more);
}

/** Exits immediately on SIGTERM. */
function obedient(name: string, more: object = {}): Container {
  return scripted(name, OBEDIENT, more);
}

const STUBBORN = `trap "" TERM; ${FOREVER}`;
const OBEDIENT = `trap "exit 143" TERM; ${FOREVER} & wait`;

/** In `script`, $n is the number of the container's run, from 1 on. */
function counted(name: string, script: string, more: object = {}): Container {
  const count = "n=$(cat /counter/n 2>/dev/null || echo 0); n=$((n+1)); echo $n >/counter/n";
  return scripted(name, `${count}; ${script}`, { volumeMounts: [{ name: "counter", mountPath: "/counter" }], ...more });
}

/** Fails as long as nothing listens on port 1 of the node. Unlike an exec probe, this probe starts no process. */
function failingProbe(initialDelaySeconds: number, periodSeconds: number, failureThreshold: number): object {
  return { tcpSocket: { host: "127.0.0.1", port: 1 }, initialDelaySeconds, periodSeconds, failureThreshold };
}

const SIDECAR = { restartPolicy: "Always" };
const volumes = [COUNTER_VOLUME];

const BY_ITSELF: readonly Scenario[] = [
  { name: "exit3-after-7s", spec: { containers: [exiting("app", 3, 7)] } },
  { name: "exit3-after-27s", spec: { containers: [exiting("app", 3, 27)] } },
  { name: "exit3-after-65s", spec: { containers: [exiting("app", 3, 65)] } },
  { name: "exit0-after-18s", spec: { containers: [exiting("app", 0, 18)] } },
  {
    name: "exit-varied",
    spec: {
      containers: [
        counted("app", "case $((n%4)) in 0) sleep 22;; 1) sleep 9;; 2) sleep 48;; 3) sleep 1;; esac; exit $((n%3))"),
      ],
      volumes,
    },
  },
  {
    name: "long-from-7th",
    spec: { containers: [counted("app", "if [ $n -ge 7 ]; then sleep 330; fi; exit 1")], volumes },
  },
  {
    name: "completes-on-6th",
    spec: {
      restartPolicy: "OnFailure",
      containers: [counted("app", "sleep 5; if [ $n -ge 6 ]; then exit 0; fi; exit 4")],
      volumes,
    },
  },
  { name: "command-missing", spec: { containers: [{ ...scripted("app", ""), command: ["/no/such/program"] }] } },
];

const KILLED: readonly Scenario[] = [
  {
    name: "liveness-grace-8s",
    spec: { terminationGracePeriodSeconds: 8, containers: [stubborn("app", { livenessProbe: failingProbe(5, 2, 2) })] },
  },
  {
    name: "liveness-quick-exit-21s",
    spec: { containers: [obedient("app", { livenessProbe: failingProbe(11, 5, 3) })] },
  },
  {
    name: "liveness-every-third-exits",
    spec: {
      containers: [
        counted("app", `if [ $((n%3)) = 0 ]; then sleep 3; exit 5; fi; ${OBEDIENT}`, {
          livenessProbe: failingProbe(6, 2, 2),
        }),
      ],
      volumes,
    },
  },
  {
    name: "liveness-every-other-exits",
    spec: {
      terminationGracePeriodSeconds: 4,
      containers: [
        counted("app", `if [ $((n%2)) = 0 ]; then sleep 12; exit 6; fi; ${STUBBORN}`, {
          livenessProbe: failingProbe(14, 4, 2),
        }),
      ],
      volumes,
    },
  },
  {
    name: "startup-grace-5s",
    spec: { terminationGracePeriodSeconds: 5, containers: [stubborn("app", { startupProbe: failingProbe(2, 3, 3) })] },
  },
  {
    name: "poststart-grace-3s",
    spec: {
      terminationGracePeriodSeconds: 3,
      containers: [
        stubborn("app", { lifecycle: { postStart: { exec: { command: ["/bin/sh", "-c", "sleep 2; exit 1"] } } } }),
      ],
    },
  },
];

const SEVERAL: readonly Scenario[] = [
  { name: "two-crashers-4s-21s", spec: { containers: [exiting("quick", 1, 4), exiting("slow", 2, 21)] } },
  {
    name: "killed-beside-crashing",
    spec: { containers: [obedient("killed", { livenessProbe: failingProbe(8, 3, 2) }), exiting("worker", 1, 5)] },
  },
  { name: "sidecar-11s", spec: { initContainers: [exiting("proxy", 6, 11, SIDECAR)], containers: [steady("app")] } },
  {
    name: "sidecar-33s-app-8s",
    spec: { initContainers: [exiting("proxy", 1, 33, SIDECAR)], containers: [exiting("app", 2, 8)] },
  },
  {
    name: "init-recovers-on-4th",
    spec: {
      initContainers: [counted("setup", "sleep 4; if [ $n -ge 4 ]; then exit 0; fi; exit 2")],
      containers: [exiting("app", 1, 14)],
      volumes,
    },
  },
  {
    name: "rules-restart",
    spec: {
      restartPolicy: "Never",
      containers: [exiting("app", 9, 13, { ...rule("Restart", "NotIn", 0), restartPolicy: "Never" })],
    },
  },
  {
    name: "rules-restart-all-31s",
    spec: { containers: [exiting("trigger", 7, 31, rule("RestartAllContainers", "In", 7)), steady("other")] },
  },
];

function rule(action: string, operator: string, exitCode: number): object {
  const restartPolicyRules = [{ action, exitCodes: { operator, values: [exitCode] } }];
  return { restartPolicy: "Always", restartPolicyRules };
}

export const SCENARIOS: readonly Scenario[] = [...BY_ITSELF, ...KILLED, ...SEVERAL];
