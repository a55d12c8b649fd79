import { writeBundles } from "./build/bundle.ts";

await writeBundles(process.argv[2] ?? "dist/kubectl-backoff");
