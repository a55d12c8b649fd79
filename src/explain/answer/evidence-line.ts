export { evidenceLine } from "./telling-line.ts";
