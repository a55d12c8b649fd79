import { reportError } from "../src/commands/terminal/report-error.ts";
import { standardOutput } from "../src/commands/terminal/standard-output.ts";
import { main } from "../src/main.ts";

const GRACE_MS = 50;

// Node itself would print all that such an error carries.
process.on("uncaughtException", (error) => process.exit(reportError(error)));
main(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
  setTimeout(leave, GRACE_MS).unref();
});
// Made ready while the first answers are awaited: that takes a moment.
setImmediate(standardOutput);

/** What never answers, such as a name server or a proxy, would keep a program alive that has said everything. */
function leave() {
  const isWriting = process.stdout.writableLength > 0 || process.stderr.writableLength > 0;
  if (isWriting) setTimeout(leave, GRACE_MS).unref();
  else process.exit();
}
