let isListening = false;

/** Where results go. Whoever stops reading it has seen enough, which is no error. */
export function standardOutput(): NodeJS.WriteStream {
  if (!isListening) {
    isListening = true;
    process.stdout.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
  return process.stdout;
}
