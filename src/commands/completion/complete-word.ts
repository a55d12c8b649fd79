import { type Candidate, DIRECTIVES, inOrder } from "./candidates.ts";
import { completeTargets } from "./complete-targets.ts";
import { examples } from "./look-up.ts";
import type { Question } from "./question.ts";
import type { CommandTable } from "./table-of.ts";

const HELP: Candidate = { text: "help", description: "Help about any command" };

/** What each command's words are. Those that are not here take none. */
const WORDS: Readonly<Record<string, (question: Question) => Promise<void>>> = {
  demo: completeExample,
  explain: (question) => completeTargets(question, "several"),
  help: async ({ line, table, onFound }) => {
    if (line.words.length === 0) onFound({ candidates: commandsIn(table), directive: DIRECTIVES.noFiles });
  },
  wait: (question) => completeTargets(question, "one"),
};

/** A word that is no flag. */
export async function completeWord(question: Question): Promise<void> {
  const { command, words } = question.line;
  if (command !== null) await WORDS[command]?.(question);
  else if (words.length > 0) await completeTargets(question, "several");
  else await completeFirstWord(question);
}

/** A command, or a pod: but a cluster is not asked before there is a sign that one is meant. */
async function completeFirstWord(question: Question): Promise<void> {
  const { line, text, table, onFound } = question;
  const commands = [...commandsIn(table), HELP].filter((command) => command.text.startsWith(text));
  onFound({ candidates: commands, directive: DIRECTIVES.noFiles });
  if (text === "" && line.flags.size === 0) return;
  const withCommands: Question["onFound"] = ({ candidates, directive }) => {
    // A blank has to follow a command, though none may follow a type.
    const own = commands.length === 0 ? directive : directive & ~DIRECTIVES.noSpace;
    onFound({ candidates: [...commands, ...candidates], directive: own });
  };
  await completeTargets({ ...question, onFound: withCommands }, "several");
}

async function completeExample({ line, onFound }: Question): Promise<void> {
  if (line.words.length === 0) onFound(inOrder(await examples()));
}

function commandsIn(table: CommandTable): Candidate[] {
  return Object.entries(table).map(([name, { summary }]) => ({ text: name, description: summary }));
}
