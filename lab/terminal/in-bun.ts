import type { TerminalRequest } from "./terminal.ts";

/** The part of Bun's API that this file uses (bun-types 1.4.5, bun.d.ts). */
interface Terminal {
  write(data: string): void;
  close(): void;
}
declare const Bun: {
  spawn(
    command: readonly string[],
    options: {
      readonly env: NodeJS.ProcessEnv;
      readonly terminal: {
        readonly cols: number;
        readonly rows: number;
        data(terminal: Terminal, data: Uint8Array): void;
      };
    },
  ): { readonly exited: Promise<number>; readonly terminal: Terminal };
};

const { command, columns, rows, keys, env }: TerminalRequest = JSON.parse(process.argv[2] ?? "");
const decoder = new TextDecoder();
let output = "";
let typed = 0;
let answered = 0;

const child = Bun.spawn(command, {
  env: { ...process.env, ...env },
  terminal: {
    cols: columns,
    rows,
    data(terminal, data) {
      output += decoder.decode(data, { stream: true });
      const next = keys[typed];
      if (next === undefined || !output.slice(answered).includes(next.after)) return;
      typed++;
      answered = output.length;
      terminal.write(next.type);
    },
  },
});
const exitCode = await child.exited;
child.terminal.close();
process.stdout.write(JSON.stringify({ exitCode, output }));
