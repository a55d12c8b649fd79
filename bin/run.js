#!/usr/bin/env node
import { isNewEnough } from "./node-version.js";

// An older Node only hands over.
await import(isNewEnough ? "./main.js" : "./hand-over.js");
