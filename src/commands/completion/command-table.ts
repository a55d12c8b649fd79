import { loadCommands } from "../../main.ts";
import { tableOf } from "./table-of.ts";

/** What can be typed. The build puts the finished table in the place of this module: to load the commands takes too long. */
export const COMMAND_TABLE = tableOf(await loadCommands());
