import { secretOf } from "./canary.ts";
import type { Lab } from "./lab.ts";
import type { PlannedRun } from "./planned-run.ts";
import { POD, plantedPod } from "./planted-objects.ts";

const BROKEN = secretOf("broken kubeconfig");

const BROKEN_TOKENS = [
  ...[`*${BROKEN}`, `!${BROKEN} a`, `!${BROKEN}!a b`, `!<${BROKEN}> a`, `!!${BROKEN} a`, `"${BROKEN}`, `'${BROKEN}`],
  ...["{", "[", "@", "`", "%", "|9"].map((before) => before + BROKEN),
  ...[`${BROKEN}: a`, `"\\${BROKEN}"`],
  ...[`&${BROKEN} *${BROKEN}`, `a\n\t${BROKEN}`, `a\n ${BROKEN}`, `"a\u0007${BROKEN}"`, `!!binary ${BROKEN}é`],
  ...[`!!int ${BROKEN}`, `!!timestamp ${BROKEN}`],
];

export function runsThatBreak(lab: Lab): PlannedRun[] {
  return [...brokenKubeconfigs(lab), ...brokenInputs(lab), ...misspelled(lab), ...bugs(lab)];
}

function brokenKubeconfigs(lab: Lab): PlannedRun[] {
  const texts = [
    ...BROKEN_TOKENS.map((token) => `users:\n- name: me\n  user:\n    token: ${token}\n`),
    `{"users": [{"user": {"token": ${BROKEN}"}}]}`,
    `${BROKEN}\n`,
    `- ${BROKEN}\n`,
    `%TAG ${BROKEN} a\n---\na: b\n`,
    `users:\n  token: ${BROKEN}\n  token: a\n`,
    `? [${BROKEN}]\n: a\n? [${BROKEN}]\n: a\n`,
    `current-context: a\ncontexts: ${BROKEN}\n`,
  ];
  return texts.map((text, index) => ({
    ...{ what: `kubeconfig with ${JSON.stringify(text.slice(-60))}`, exitCode: 1, says: /kubeconfig/ },
    argv: index % 2 === 0 ? ["explain", POD] : ["list"],
    env: { KUBECONFIG: lab.file("config", text) },
  }));
}

function brokenInputs(lab: Lab): PlannedRun[] {
  const secret = secretOf("broken input");
  const pod = JSON.stringify(plantedPod(0));
  const texts = [
    ...[`${pod.slice(0, -1)}, "env": ${secret}}`, `${pod}\n${secret}`],
    ...[`{"env": ["${secret}]}`, `{"a": "${secret}" "b": 1}`],
    ...[`env: *${secret}\n`, `env: !${secret} a\n`, `env: "${secret}\n`, `env: !${secret}!a b\n`, `a: b: ${secret}\n`],
    ...[`{"kind": "Secret", "data": {"a": "${secret}"}}`, `kind: ConfigMap\ndata: {a: ${secret}}\n`],
  ];
  return texts.map((text) => ({
    what: `input with ${JSON.stringify(text.slice(-60))}`,
    argv: ["explain", "-f", lab.file("input", text)],
    exitCode: 1,
    says: /Can't read|no Pod/,
  }));
}

function misspelled(lab: Lab): PlannedRun[] {
  const secret = secretOf("misspelled flag");
  const env = { KUBECONFIG: lab.kubeconfig({}) };
  const argvs = [
    ["explain", POD, `--tokn=${secret}`],
    ["explain", POD, "--tokn", secret],
    ["list", "--pasword", secret],
    ["list", `-token=${secret}`],
    ["list", `--Token=${secret}`],
    ["list", "--proxy-url", `ftp://me:${secret}@a`],
    ["list", "--server", `ftp://me:${secret}@a`],
    [`--tokn=${secret}`, "list"],
    ["list", `--password=${secret}`, "--token=a"],
  ];
  return argvs.map((argv) => ({ what: `misspelled: ${argv.join(" ")}`, argv, env, exitCode: null, says: /^Error: / }));
}

function bugs(lab: Lab): PlannedRun[] {
  const env = { KUBECONFIG: lab.kubeconfig({ token: secretOf("token") }) };
  const says = /This is a bug in kubectl-backoff/;
  const argvs = [
    ["explain", POD],
    ["list", "-A"],
    ["wait", POD, "--for=restart"],
    ["explain", "-f", lab.file("pod", "{}")],
  ];
  return (["in the command", "on the side"] as const).flatMap((breaks) =>
    argvs.map((argv) => ({
      what: `a bug ${breaks}: ${argv.join(" ")}`,
      argv,
      env,
      exitCode: 1,
      says,
      breaks,
    })),
  );
}
