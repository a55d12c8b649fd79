#!/usr/bin/env node
import { isNewEnough } from "./node-version.js";

await import(isNewEnough ? "./main.js" : "./hand-over.js");
