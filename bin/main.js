import { reportError } from "../src/commands/terminal/report-error.ts";
import { leave, prepareOutput } from "../src/commands/terminal/standard-output.ts";
import { main } from "../src/main.ts";

// Node itself would print all that such an error carries.
process.on("uncaughtException", (error) => void leave(reportError(error)));
void main(process.argv.slice(2)).then(leave);
// Made ready while the first answers are awaited: that takes a moment.
setImmediate(prepareOutput);
