/** Ends a command before its time, with nothing left to say. */
export class ExitCode extends Error {
  override readonly name = "ExitCode";
  readonly code: number;

  constructor(code: number) {
    super(`exit code ${code}`);
    this.code = code;
  }
}
