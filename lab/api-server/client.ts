/** The receiver of a watch or of a followed log: a socket, or a pipe in virtual time. */
export interface Client {
  send(text: string): void;
  end(): void;
  /** Breaks the connection before the answer is complete. */
  drop(): void;
}
