#!/usr/bin/env node
// Node runs TypeScript since 22.18; the program asks for 22.20. An older one only hands over.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const isNewEnough = major > 22 || (major === 22 && minor >= 20);
await import(isNewEnough ? "./main.js" : "./hand-over.js");
