import type { Connection } from "../../cluster/connection/connection.ts";
import { observeTargets } from "../../cluster/pods/target-observe.ts";
import { UserError } from "../../errors.ts";
import type { Observation, PodObservation } from "../../explain/observed/observation.ts";

/** Who asks for one pod, and which command line names one: for the error where there are none or several. */
interface Asker {
  readonly name: string;
  readonly usage: string;
  readonly localNowMs: number;
  readonly note: (sentence: string) => void;
}

/** Reads the only pod that the words name, with the Observation it is in. A UserError if they name none or several. */
export async function observeOnePod(
  connection: Connection,
  words: readonly string[],
  { name, usage, localNowMs, note }: Asker,
): Promise<{ readonly observation: Observation; readonly first: PodObservation }> {
  const how = { nodeConfig: "auto", atMs: null, localNowMs } as const;
  const targets = await observeTargets(connection, { ...how, words, selector: undefined, allNamespaces: false });
  const { observation, failures, notes } = targets;
  for (const sentence of notes) note(sentence);
  const count = observation.pods.length + failures.length;
  if (count === 1 && failures[0] !== undefined) throw failures[0];
  const [first] = observation.pods;
  if (first === undefined || count > 1) throw new UserError("needsOnePod", name, count, usage);
  return { observation, first };
}
