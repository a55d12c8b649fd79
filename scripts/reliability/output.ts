import { missedBySlowReader, PRINTED_LINES, startOutputLab } from "../../test/support/outputs.ts";
import { markdownTable } from "../markdown-table.ts";
import type { Effort, Section } from "./section.ts";

export async function outputSection({ isExtended, program }: Effort): Promise<Section> {
  const lines = PRINTED_LINES.filter(({ isTestedAlways = false }) => isExtended || isTestedAlways);
  const lab = await startOutputLab();
  try {
    const rows: string[][] = [];
    for (const printed of lines) {
      const { line, stream = "stdout" } = printed;
      const { text } = await lab.whole(program, line, stream);
      const missed = await missedBySlowReader(printed, lab, program);
      rows.push([`\`${line}\``, stream, `${Buffer.byteLength(text)}`, missed || "all of it"]);
    }
    const whole = rows.filter(([, , , arrived]) => arrived === "all of it").length;
    return {
      title: "Whatever is printed arrives",
      lines: [
        "Each command printed into a pipe (of 64 KiB) whose reader began to read 0.4 s later, and then without that pause: the same",
        "text must arrive. *app* are 300 crash-looping pods, and *MISSING* are a thousand pods that do not exist.",
        "",
        ...markdownTable(["command", "stream", "bytes", "what arrived"], rows),
        "",
        `${rows.length} commands: the output of ${whole} arrived whole.`,
      ],
    };
  } finally {
    await lab.stop();
  }
}
