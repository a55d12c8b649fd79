import type { ConnectOptions } from "../../cluster/api/connect.ts";
import type { Connection } from "../../cluster/connection/connection.ts";
import type { ExplainOptions } from "../../explain/explain.ts";
import type { Observation } from "../../explain/observed/observation.ts";

/** The parts that a command's time is told in. */
export type Stage = "kubeconfig" | "input" | "requests" | "explain" | "render" | "list";

/** Is told what a command does, for --debug. */
export interface Trace {
  /** A stage is over, which began where the one before ended. */
  ended(stage: Stage): void;
  /** The connection to use instead, whose requests are told. */
  connection(connection: Connection, options: ConnectOptions): Connection;
  /** This has been explained. */
  explained(observation: Observation, options: ExplainOptions): void;
  /** The parts of a list, each of which is explained when it comes. */
  parts<T extends Observation>(parts: AsyncIterable<T>, options: ExplainOptions): AsyncIterable<T>;
}

/** Without --debug: nobody listens. */
export const NO_TRACE: Trace = {
  ended: () => {},
  connection: (connection) => connection,
  explained: () => {},
  parts: (parts) => parts,
};
