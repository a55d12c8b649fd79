import type { Plugin } from "esbuild";

/**
 * Measures plain text for cli-table3 by its length. The package that it asks searches every text for emoji, with an expression
 * that takes longer to prepare than the whole table.
 */
export const measurePlainText: Plugin = {
  name: "measure-plain-text",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^string-width$/ }, ({ path, importer, resolveDir }) =>
      /cli-table3/.test(importer) ? { path, namespace: "plain-text", pluginData: resolveDir } : null,
    );
    onLoad({ filter: /./, namespace: "plain-text" }, ({ pluginData: resolveDir }) => ({
      resolveDir,
      contents: `
        const stringWidth = require("string-width");
        module.exports = (text) => (/^[\\x20-\\x7e]*$/.test(text) ? text.length : stringWidth(text));`,
    }));
  },
};
