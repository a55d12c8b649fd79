import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Lab {
  readonly folder: string;
  readonly url: string;
  readonly plainUrl: string;
  /** Leads to the same server as `url`, at an address that kubectl backoff does not take for this machine. */
  readonly outsideUrl: string;
  readonly proxy: string;
  readonly ca: string;
  file(name: string): string;
  write(name: string, content: object | string, mode?: number): string;
}

export function makeLab(ports: { https: number; http: number; proxy: number }): Lab {
  const folder = mkdtempSync(join(tmpdir(), "compare-kubectl-"));
  mkdirSync(join(folder, "home"));
  const lab: Lab = {
    folder,
    url: `https://127.0.0.1:${ports.https}`,
    plainUrl: `http://127.0.0.1:${ports.http}`,
    outsideUrl: `https://0.0.0.0:${ports.https}`,
    proxy: `http://127.0.0.1:${ports.proxy}`,
    ca: fileURLToPath(new URL("../../test/fixtures/tls/cert.pem", import.meta.url)),
    file: (name) => join(folder, name),
    write(name, content, mode = 0o600) {
      writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
      chmodSync(join(folder, name), mode);
      return join(folder, name);
    },
  };
  for (const name of ["alice", "bob"]) makeCertificate(lab, name);
  lab.write("token", "of-file\n");
  lab.write("plugin", PLUGIN, 0o700);
  lab.write("certificate-plugin", CERTIFICATE_PLUGIN, 0o700);
  lab.write("nothing", "\n");
  lab.write("no-yaml", "a: [\n");
  return lab;
}

/** The token contains the plugin's input and the number of its runs. */
const PLUGIN = `#!/bin/sh
info=$(printf %s "$KUBERNETES_EXEC_INFO")
echo >>"$RUNS"
printf '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"%s"}}' \\
  "$(printf '%s-%s-%s-%s' "$1" "$WORD" "$(wc -l <"$RUNS" | tr -d ' ')" "$(printf %s "$info" | base64 -w 0)")"
`;

const CERTIFICATE_PLUGIN = `#!/bin/sh
cd "$(dirname "$0")"
echo >>"$RUNS"
in_json() { awk '{printf "%s\\\\n", $0}' "$1"; }
printf '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":'
printf '{"clientCertificateData":"%s","clientKeyData":"%s"}}' "$(in_json bob.crt)" "$(in_json bob.key)"
`;

function makeCertificate({ file }: Lab, name: string): void {
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", file(`${name}.key`)];
  const certificate = ["-out", file(`${name}.crt`), "-days", "30", "-subj", `/CN=${name}`];
  execFileSync("openssl", ["req", "-x509", ...key, ...certificate], { stdio: "ignore" });
}
