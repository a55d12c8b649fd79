import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { TOO_OLD } from "./node-version.js";

/** The Node that `npm ci` installs beside the program. */
const node = fileURLToPath(new URL("../node_modules/node/bin/node", import.meta.url));

if (existsSync(node)) handOver();
else {
  process.stderr.write(TOO_OLD);
  process.exitCode = 1;
}

function handOver() {
  const child = spawn(node, process.argv.slice(1), { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exitCode = code ?? 1;
    else {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    }
  });
}
