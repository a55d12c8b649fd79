// Draws docs/images/terminal.svg, what the program prints in a terminal: npm run record:terminal
import { writeFileSync } from "node:fs";
import { terminalPicture } from "./record-terminal/terminal-picture.ts";

const FILE = "docs/images/terminal.svg";

writeFileSync(FILE, await terminalPicture(["demo"]));
console.log(`Wrote ${FILE}.`);
