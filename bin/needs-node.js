// The first thing that a built file does: an older Node prints which one the program needs, and runs none of it.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 22 || (major === 22 && minor < 20)) {
  // At the TAB a sentence would end in the middle of the command line: nothing is completed.
  const isCompletion = /kubectl_complete-backoff$/.test(process.argv[1] ?? "");
  const sentence = `Error: kubectl-backoff needs Node.js 22.20 or newer, and this is ${process.version}. Install a newer one.\n`;
  if (isCompletion) process.stdout.write(":4\n");
  else process.stderr.write(sentence);
  process.exit(isCompletion ? 0 : 1);
}
