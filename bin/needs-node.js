// The build puts this code before all other code of a built file.
import { isNewEnough, TOO_OLD } from "./node-version.js";

if (!isNewEnough) {
  // Completes nothing, because the shell would print the message into the command line.
  const isCompletion = /kubectl_complete-backoff$/.test(process.argv[1] ?? "");
  if (isCompletion) process.stdout.write(":4\n");
  else process.stderr.write(TOO_OLD);
  process.exit(isCompletion ? 0 : 1);
}
