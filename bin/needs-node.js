// The first thing that a built file does: an older Node prints which one the program needs, and runs none of it.
import { isNewEnough, TOO_OLD } from "./node-version.js";

if (!isNewEnough) {
  // At the TAB a sentence would end in the middle of the command line: nothing is completed.
  const isCompletion = /kubectl_complete-backoff$/.test(process.argv[1] ?? "");
  if (isCompletion) process.stdout.write(":4\n");
  else process.stderr.write(TOO_OLD);
  process.exit(isCompletion ? 0 : 1);
}
