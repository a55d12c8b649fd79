export interface Client {
  send(text: string): void;
  end(): void;
  /** Breaks the connection before the answer is complete. */
  drop(): void;
}
