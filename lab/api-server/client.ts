/** Who gets an answer that goes on, such as a watch or a followed log: by a socket, or in virtual time. */
export interface Client {
  send(text: string): void;
  end(): void;
  /** Breaks the connection. */
  drop(): void;
}
