/** Functions, so that the program can load only the command that it runs. */
export const LOADERS = {
  catch: () => import("./catch/catch.ts"),
  demo: () => import("./explain/demo.ts"),
  eta: () => import("./eta/eta.ts"),
  explain: () => import("./explain/explain.ts"),
  list: () => import("./list/list.ts"),
  simulate: () => import("./simulate/simulate.ts"),
  strategies: () => import("./simulate/strategies.ts"),
  version: () => import("./version.ts"),
  wait: () => import("./wait/wait.ts"),
} as const;

export type CommandName = keyof typeof LOADERS;
type Commands = { [Name in CommandName]: Awaited<ReturnType<(typeof LOADERS)[Name]>>["default"] };

export async function loadCommands(): Promise<Commands> {
  const loaded = Object.entries(LOADERS).map(async ([name, load]) => [name, (await load()).default]);
  return Object.fromEntries(await Promise.all(loaded));
}
