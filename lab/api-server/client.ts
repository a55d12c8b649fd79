export interface Client {
  send(text: string): void;
  end(): void;
  drop(): void;
}
