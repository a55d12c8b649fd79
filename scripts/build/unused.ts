import type { Plugin } from "esbuild";

/** What the packages that we use bring along and we never call, by the file that imports it. */
const UNUSED: readonly { readonly importer: RegExp; readonly path: RegExp; readonly instead?: string }[] = [
  // Only agents for proxies are made with it: the generated API and its HTTP client would make up four fifths of the program.
  { importer: /[\\/]client-node[\\/]dist[\\/]/, path: /^undici$|^\.\/gen\/index\.js$/ },
  // It makes all of these at once, and asks each of them whether a user is its own; there is none.
  {
    importer: /[\\/]client-node[\\/]dist[\\/]/,
    path: /^\.\/(azure|gcp|exec|file|oidc)_auth\.js$/,
    instead: `
      class Nobody { isAuthProvider() { return false; } }
      for (const name of ["AzureAuth", "ExecAuth", "FileAuth", "GoogleCloudPlatformAuth", "OpenIDConnectAuth"])
        exports[name] = Nobody;`,
  },
  // Only flags are read with it: its help would bring a template engine, its output a hundred spinners.
  { importer: /[\\/]@oclif[\\/]core[\\/]lib[\\/]/, path: /^(\.\.?\/)+(help|ux|errors\/handle)$|^\.\/handle$/ },
];

/** Leaves that out. A call would fail loudly: there is nothing in the place of it, or next to nothing. */
export const withoutUnused: Plugin = {
  name: "without-unused",
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^@kubernetes\/client-node$/ }, ({ resolveDir, kind }) =>
      resolve("@kubernetes/client-node/dist/config.js", { resolveDir, kind }),
    );
    onResolve({ filter: /./ }, ({ path, importer }) => {
      const unused = UNUSED.find((unused) => unused.importer.test(importer) && unused.path.test(path));
      return unused && { path, namespace: "unused", pluginData: unused.instead ?? "module.exports = {};" };
    });
    onLoad({ filter: /./, namespace: "unused" }, ({ pluginData }) => ({ contents: pluginData }));
  },
};
