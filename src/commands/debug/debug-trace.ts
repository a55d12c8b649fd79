import type { ConnectOptions } from "../../cluster/api/connect.ts";
import type { Connection } from "../../cluster/connection/connection.ts";
import type { ExplainOptions } from "../../explain/explain.ts";
import type { Observation } from "../../explain/observed/observation.ts";

export type Stage = "kubeconfig" | "input" | "requests" | "explain" | "render" | "list";

/** Prints what a command does, for --debug. */
export interface Trace {
  /** Prints how long a stage took, since the end of the previous one. */
  ended(stage: Stage): void;
  /** Returns a connection that prints its requests. */
  connection(connection: Connection, options: ConnectOptions): Connection;
  /** Prints the replay of each container. */
  explained(observation: Observation, options: ExplainOptions): void;
}

export const NO_TRACE: Trace = {
  ended: () => {},
  connection: (connection) => connection,
  explained: () => {},
};
