import { standardOutput } from "../src/commands/standard-output.ts";
import { main } from "../src/main.ts";

main(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
// Made ready while the first answers are awaited: that takes a moment.
setImmediate(standardOutput);
