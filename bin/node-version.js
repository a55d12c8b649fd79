// The minimum of `engines` in package.json. Node runs TypeScript since 22.18.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

export const isNewEnough = major > 22 || (major === 22 && minor >= 20);

export const TOO_OLD = `Error: kubectl-backoff needs Node.js 22.20 or newer, and this is ${process.version}. Install a newer one.\n`;
