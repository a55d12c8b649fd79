import { printCompletion } from "../src/commands/completion/print-completion.ts";

printCompletion(process.argv.slice(2));
