import { EXPLAIN_FORMS } from "../../src/render/forms.ts";
import { secretOf } from "./canary.ts";
import { clusterAt, type Lab } from "./lab.ts";
import type { PlannedRun } from "./planned-run.ts";
import { POD, plantedPod, plantedSurroundings } from "./planted-objects.ts";
import { users } from "./users.ts";

const ALL_FORMS = Object.keys(EXPLAIN_FORMS);

export function runsThatAnswer(lab: Lab): PlannedRun[] {
  return [
    ...inCluster(lab),
    ...ofFiles(lab),
    ...byUsers(lab),
    ...throughProxies(lab),
    ...byFlags(lab),
    ...elsewhere(lab),
  ];
}

type Told = Pick<PlannedRun, "env" | "says">;

function answered(what: string, argv: readonly string[], told: Partial<Told> = {}): PlannedRun {
  return { what, argv, exitCode: 0, says: new RegExp(POD), ...told };
}

function inCluster(lab: Lab): PlannedRun[] {
  const env = { KUBECONFIG: lab.kubeconfig({ token: secretOf("token") }) };
  const inForm = (command: readonly string[], forms: readonly string[], says: RegExp): PlannedRun[] =>
    forms.map((form) => answered(`${command[0]} -o ${form}`, [...command, "-o", form], { env, says }));
  return [
    ...inForm(["explain", POD], ALL_FORMS, /web-0/),
    ...inForm(["explain", POD, "--logs"], ["table", "json"], /it says this itself/),
    ...inForm(["explain", POD, "--logs"], ["json", "yaml"], /db has 0 of 1 ready endpoints/),
    ...inForm(["explain", "deploy/web"], ["wide", "json"], /web-0/),
    ...inForm(["explain", POD], ["table", "md"], /changed\s+env\s+PASSWORD/),
    ...inForm(["explain", POD], ["table", "wide", "json", "yaml"], /secret\/web-secret\s+was\s+created/),
    ...inForm(["explain", POD], ["json", "yaml"], /postgres:\/\/\*\*\*@db-1\/web/),
    ...inForm(["list", "-A"], ["table", "wide", "json", "yaml", "name"], /web-0/),
    ...inForm(["list", "-n", "prod", "--tail", "50"], ["table", "md", "json"], /no\s+such\s+host/),
    ...inForm(["simulate", POD], ["table", "json", "svg"], /./),
    reported(lab, env),
    answered("explain --report -", ["explain", POD, "--report", "-"], { env, says: /kind/ }),
    {
      ...answered("wait", ["wait", POD, "--for=restart", "--timeout=0"], { env, says: /has not restarted/ }),
      exitCode: 124,
    },
    ...inCatch(env),
    { ...answered("completion of pods", ["explain", ""], { env }), isCompletion: true },
    { ...answered("completion of containers", ["explain", POD, "-c", ""], { env, says: /app/ }), isCompletion: true },
    { ...answered("completion of users", ["explain", POD, "--user", ""], { env, says: /other/ }), isCompletion: true },
  ];
}

function inCatch(env: Record<string, string>): PlannedRun[] {
  return ["html", "json"].map((form) => {
    const argv = ["catch", POD, "--timeout=100ms", "--output-file=-", "-o", form];
    return { ...answered(`catch -o ${form}`, argv, { env, says: /web-0/ }), exitCode: 124 };
  });
}

function reported(lab: Lab, env: Record<string, string>): PlannedRun {
  const writes = `${lab.folder}/report.json`;
  const run = answered("explain --report FILE", ["explain", POD, "--report", writes], { env, says: /Wrote/ });
  return { ...run, writes };
}

function ofFiles(lab: Lab): PlannedRun[] {
  const nowMs = Date.now();
  const items = [plantedPod(nowMs), ...Object.values(plantedSurroundings(nowMs))];
  const file = lab.file("pods.json", JSON.stringify({ kind: "List", apiVersion: "v1", items }));
  return ALL_FORMS.map((form) => answered(`explain -f in ${form}`, ["explain", "-f", file, "-o", form]));
}

function byUsers(lab: Lab): PlannedRun[] {
  return Object.entries(users(lab)).map(([what, user]) =>
    answered(`as a user with ${what}`, ["explain", POD], { env: { KUBECONFIG: lab.kubeconfig(user) } }),
  );
}

function throughProxies(lab: Lab): PlannedRun[] {
  const proxy = `http://me:${secretOf("password in proxy-url")}@${lab.proxy.address}`;
  const user = { token: secretOf("token") };
  const far = { ...clusterAt("https://api.example"), "tls-server-name": "localhost" };
  const environment = `http://me:${secretOf("password in HTTPS_PROXY")}@${lab.proxy.address}`;
  const withName = withPassword(lab);
  return [
    answered("through a proxy of the kubeconfig", ["explain", POD, "-o", "json"], {
      env: { KUBECONFIG: lab.kubeconfig(user, { ...far, "proxy-url": proxy }) },
    }),
    answered("through a proxy of the environment", ["list"], {
      env: { KUBECONFIG: lab.kubeconfig(user, far), HTTPS_PROXY: environment },
    }),
    answered("with a password in the server's address", ["explain", POD, "-o", "wide"], {
      env: { KUBECONFIG: lab.kubeconfig({}, clusterAt(withName)) },
    }),
  ];
}

function withPassword({ simulator }: Lab): string {
  return `https://me:${secretOf("password in the server's address")}@${new URL(simulator.url).host}`;
}

function byFlags(lab: Lab): PlannedRun[] {
  const env = { KUBECONFIG: lab.kubeconfig({}) };
  return [
    answered("with --server", ["explain", POD, "--server", withPassword(lab)], { env }),
    answered("with --token", ["explain", POD, "--token", secretOf("token flag")], { env }),
    answered("with --password", ["list", "--username=me", `--password=${secretOf("password flag")}`], { env }),
  ];
}

function elsewhere(lab: Lab): PlannedRun[] {
  const env = { KUBECONFIG: lab.kubeconfig({ token: secretOf("token") }) };
  const says = /./;
  const commands = [["version"], ["demo"], ["demo", "--list"], ["simulate", "--run", "42s"], ["explain", "--help"]];
  return [...commands, ["strategies", "--clients", "3"]].map((argv) => answered(argv.join(" "), argv, { env, says }));
}
