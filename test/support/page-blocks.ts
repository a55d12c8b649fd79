/** The blocks of a page in Markdown, without their fences. */
export function blocksOf(text: string): string[] {
  return [...text.matchAll(/^```(?:sh|yaml)?\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
}

/** The text with the block that begins with `start` replaced. Throws without it. */
export function withBlock(text: string, start: string, block: string): string {
  const old = blocksOf(text).find((candidate) => candidate.startsWith(start));
  if (old === undefined) throw new Error(`The page has no block that begins with ${start}`);
  return text.replace(old, () => block);
}
