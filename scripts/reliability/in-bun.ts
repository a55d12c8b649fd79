import { fuzzSection } from "./fuzz.ts";
import { longHaulSection } from "./long-haul.ts";

/** Bun runs this file: `bun in-bun.ts NAME IS_EXTENDED` prints a section as JSON. */
const [name, isExtended] = process.argv.slice(2);
const sectionOf = name === "fuzz" ? fuzzSection : longHaulSection;
console.log(JSON.stringify(await sectionOf({ isExtended: isExtended === "true" })));
