import { loadCommands } from "../../main.ts";
import { type CommandShapes, shapesOf } from "./read-argv.ts";

/**
 * What the flags of all commands look like. The build puts the finished value in the place of this module: to load the commands
 * takes longer than to run one of them.
 */
export const COMMAND_SHAPES: CommandShapes = Object.fromEntries(
  Object.entries(await loadCommands()).map(([name, { flags }]) => [name, { flags: shapesOf(flags) }]),
);
