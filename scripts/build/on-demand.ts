import { readFileSync } from "node:fs";
import { builtinModules, isBuiltin } from "node:module";
import type { Plugin } from "esbuild";

/**
 * Loads Node's own modules, and those of oclif, when something of them is first used: not all of what is imported is needed
 * for what is asked for, and to load node:crypto, zlib or readline takes milliseconds each.
 */
export const onDemand: Plugin = {
  name: "on-demand",
  setup({ onResolve, onLoad }) {
    const builtins = new RegExp(`^(node:)?(${builtinModules.join("|")})$`);
    onResolve({ filter: builtins }, ({ path }) => ({ path: path.replace(/^node:/, ""), namespace: "builtin" }));
    onLoad({ filter: /./, namespace: "builtin" }, ({ path }) => ({ contents: builtinOnDemand(path) }));
    onLoad({ filter: /[\\/]@oclif[\\/]core[\\/]lib[\\/].*\.js$/ }, ({ path }) => ({
      loader: "js",
      contents: requiresOnDemand(readFileSync(path, "utf8")),
    }));
  },
};

/**
 * A module that is itself a function or a class (events, stream, assert) is there at once: classes are derived from it. Others
 * have no names of their own; whoever copies them, as bundled modules do with what they import, inherits the names instead.
 */
function builtinOnDemand(name: string): string {
  const id = JSON.stringify(isBuiltin(name) ? `node:${name}` : name);
  const found: unknown = process.getBuiltinModule(name);
  if (typeof found !== "object" || found === null) return `module.exports = process.getBuiltinModule(${id});`;
  return `
    let builtin;
    const loaded = () => (builtin ??= process.getBuiltinModule(${id}));
    module.exports = new Proxy({}, {
      get: (_, name) => loaded()[name],
      has: (_, name) => name in loaded(),
      getPrototypeOf: () => module.exports,
    });`;
}

/** The requires at the top of a module, as TypeScript writes them; what they give is used by its properties only. */
function requiresOnDemand(text: string): string {
  const required = text.replace(
    /^(?:const|var) (\w+) = ((?:__import\w+\()?require\("[^"]+"\)\)?);$/gm,
    (_, name, expression) => `const ${name} = __onDemand(() => ${expression});`,
  );
  return `${ON_DEMAND}\n${required}`;
}

const ON_DEMAND = `
const __onDemand = (load) => {
  let value;
  return new Proxy({}, { get: (_, key) => (value ??= load())[key] });
};`;
