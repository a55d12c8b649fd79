/** oclif's parser: a module of its own, so that it is loaded only where there is something to parse. */
export { parse as parseArguments } from "@oclif/core/parser";
