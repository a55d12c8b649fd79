import { secretOf } from "./canary.ts";
import { clusterAt, type Lab } from "./lab.ts";
import type { PlannedRun } from "./planned-run.ts";
import { POD } from "./planted-objects.ts";

type Commands = readonly (readonly string[])[];

const ASKING: Commands = [
  ["explain", POD],
  ["explain", "-l", "app=web", "-o", "json"],
  ["explain", POD, "--watch"],
  ["list", "-A"],
  ["list", "--watch"],
  ["wait", POD, "--for=recovered", "--timeout=1s"],
  ["simulate", POD],
];

export const ONE = ASKING.slice(0, 1);

/** For situations in which all commands are expected to do the same. */
const FEW = ASKING.slice(0, 2);

export function runsThatFail(lab: Lab): PlannedRun[] {
  return [...refused(lab), ...badProxies(lab)];
}

export function failing(what: string, kubeconfig: string, says: RegExp, argvs: Commands = ASKING): PlannedRun[] {
  return argvs.map((argv) => ({
    ...{ what: `${what}: ${argv.join(" ")}`, argv: [...argv, "--request-timeout=2s"], exitCode: 1, says },
    env: { KUBECONFIG: kubeconfig },
  }));
}

function refused(lab: Lab): PlannedRun[] {
  const { url } = lab.difficult;
  const withPassword = url.replace("://", `://me:${secretOf("password in the server's address")}@`);
  const user = { token: secretOf("token") };
  const basic = { username: "me", password: secretOf("password") };
  const at = (path: string): string => lab.kubeconfig(user, clusterAt(url + path));
  const untrusted = { server: withPassword };
  return [
    ...failing("401", at("/401"), /401 Unauthorized/),
    ...failing("403", at("/403"), /Forbidden/),
    ...failing("500", at("/500"), /answered 500/),
    ...failing("it says what it was told (500)", at("/echo-500"), /you said/, FEW),
    ...failing("it says what it was told (403)", at("/echo-403"), /you said/),
    ...failing("it says the password", lab.kubeconfig(basic, clusterAt(`${url}/echo-500`)), /you said/, FEW),
    ...failing("garbage", at("/garbage"), /Can't read the answer/, FEW),
    ...failing("hang-up", at("/hang-up"), /Can't reach/, ONE),
    ...failing("unreachable", lab.kubeconfig(user, clusterAt("https://127.0.0.1:1")), /Can't reach/),
    ...failing("bad TLS", lab.kubeconfig(user, untrusted), /Can't verify/),
    ...failing("it says the address", lab.kubeconfig({}, clusterAt(`${withPassword}/echo-403`)), /you said/),
    ...failing("401, password in the address", lab.kubeconfig({}, clusterAt(`${withPassword}/401`)), /401/),
  ];
}

const NO_PROXY = /is not an http, https or socks5/;
const NO_SERVER = /not an http\(s\) URL/;

function badProxies(lab: Lab): PlannedRun[] {
  const user = { token: secretOf("token") };
  const far = clusterAt("https://api.example");
  const through = (proxy: string): string => lab.kubeconfig(user, { ...far, "proxy-url": proxy });
  const at = (server: string): string => lab.kubeconfig(user, { server });
  const secret = secretOf("password in proxy-url");
  const wrong = secretOf("password in a wrong proxy");
  return [
    ...failing("the proxy refuses", through(`http://refused:${secret}@${lab.proxy.address}`), /Can't reach/),
    ...failing("the proxy is not there", through(`http://me:${secret}@127.0.0.1:1`), /Can't reach/),
    ...failing("the socks proxy is not there", through(`socks5://me:${secret}@127.0.0.1:1`), /Can't reach/, FEW),
    ...failing("the proxy is no address", through(`ftp://me:${wrong}@a.example`), NO_PROXY, FEW),
    ...failing("the proxy has no scheme", through(`me:${wrong}@a.example`), NO_PROXY, FEW),
    ...failing("the proxy's port is no number", through(`http://me:${wrong}@a.example:port`), NO_PROXY, FEW),
    ...failing("the proxy's password has a slash", through(`http://me:/${wrong}@a.example`), /Can't reach/, FEW),
    ...failing("the server is no address", at(`ftp://me:${wrong}@a.example`), NO_SERVER, FEW),
    ...failing("the server's port is no number", at(`https://me:${wrong}@a:b`), NO_SERVER, FEW),
  ];
}
