import { main } from "../src/main.ts";

// Whoever stops reading has seen enough.
process.stdout.on("error", (error) => {
  if (error.code !== "EPIPE") throw error;
});
main(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
