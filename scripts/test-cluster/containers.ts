/** A container of a Pod manifest. */
export type Container = { readonly name: string; readonly [field: string]: unknown };

/** The image of every container; its nodes hold it, for nothing is pulled. It needs sh, sleep and cat. */
export const IMAGE = "localhost/busybox:1";
/** The same image under another name: what an image is changed to. */
export const OTHER_IMAGE = "localhost/busybox:2";

/** Where a container keeps its count of runs: a volume outlives every restart of a container. */
export const COUNTER_VOLUME = { name: "counter", emptyDir: {} };

const FOREVER = "sleep 100000";

/** Runs a shell script again and again. */
export function scripted(name: string, script: string, more: object = {}): Container {
  return { name, image: IMAGE, imagePullPolicy: "Never", command: ["/bin/sh", "-c", script], ...more };
}

/** Runs for so many seconds, then exits. */
export function exiting(name: string, exitCode: number, afterSeconds: number, more: object = {}): Container {
  return scripted(name, `sleep ${afterSeconds}; exit ${exitCode}`, more);
}

/** Runs and never exits by itself. */
export function steady(name: string, more: object = {}): Container {
  return scripted(name, FOREVER, more);
}

/** Never exits by itself, nor when it is asked to: only the end of the grace period stops it. */
export function stubborn(name: string, more: object = {}): Container {
  return scripted(name, STUBBORN, more);
}

/** Never exits by itself, but at once when it is asked to. */
export function obedient(name: string, more: object = {}): Container {
  return scripted(name, OBEDIENT, more);
}

/** The scripts of `stubborn` and `obedient`. */
export const STUBBORN = `trap "" TERM; ${FOREVER}`;
/** See `STUBBORN`. */
export const OBEDIENT = `trap "exit 143" TERM; ${FOREVER} & wait`;

/** A script that knows in $n which run of the container it is, from 1 on. */
export function counted(name: string, script: string, more: object = {}): Container {
  const count = "n=$(cat /counter/n 2>/dev/null || echo 0); n=$((n+1)); echo $n >/counter/n";
  return scripted(name, `${count}; ${script}`, { volumeMounts: [{ name: "counter", mountPath: "/counter" }], ...more });
}

/** A probe that always fails: nothing listens on port 1 of the node. It costs no process, unlike a command. */
export function failingProbe(initialDelaySeconds: number, periodSeconds: number, failureThreshold: number): object {
  return { tcpSocket: { host: "127.0.0.1", port: 1 }, initialDelaySeconds, periodSeconds, failureThreshold };
}
