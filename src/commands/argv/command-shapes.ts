import { loadCommands } from "../../main.ts";
import { type CommandShapes, shapesOf } from "./read-argv.ts";

/** The flags of all commands. The build replaces this module by its value: loading all commands takes longer than running one. */
export const COMMAND_SHAPES: CommandShapes = Object.fromEntries(
  Object.entries(await loadCommands()).map(([name, { flags }]) => [name, { flags: shapesOf(flags) }]),
);
