import type { Plugin } from "esbuild";

/** What the packages that we use bring along and we never call, by the file that imports it. */
const UNUSED: readonly { readonly importer: RegExp; readonly path: RegExp }[] = [
  // Only credentials are read with it: the generated API and its HTTP client would make up four fifths of the program.
  { importer: /[\\/]client-node[\\/]dist[\\/]/, path: /^undici$|^\.\/gen\/index\.js$/ },
  // Only flags are read with it: its help would bring a template engine, its output a hundred spinners.
  { importer: /[\\/]@oclif[\\/]core[\\/]lib[\\/]/, path: /^(\.\.?\/)+(help|ux|errors\/handle)$|^\.\/handle$/ },
];

/** Leaves that out. A call would fail loudly: there is nothing in the place of it. */
export const withoutUnused: Plugin = {
  name: "without-unused",
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^@kubernetes\/client-node$/ }, ({ resolveDir, kind }) =>
      resolve("@kubernetes/client-node/dist/config.js", { resolveDir, kind }),
    );
    onResolve({ filter: /./ }, ({ path, importer }) =>
      UNUSED.some((unused) => unused.importer.test(importer) && unused.path.test(path))
        ? { path, namespace: "unused" }
        : null,
    );
    onLoad({ filter: /./, namespace: "unused" }, () => ({ contents: "module.exports = {};" }));
  },
};
