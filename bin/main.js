import { reportError } from "../src/commands/terminal/report-error.ts";
import { leave, prepareOutput } from "../src/commands/terminal/standard-output.ts";
import { main } from "../src/main.ts";

// Node itself would print all properties of the error, which can contain secrets.
process.on("uncaughtException", (error) => void leave(reportError(error)));
void main(process.argv.slice(2)).then(leave);
// Called while the program waits for its first answers, because Node loads stdout at its first use.
setImmediate(prepareOutput);
