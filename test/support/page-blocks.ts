export function blocksOf(text: string): string[] {
  return [...text.matchAll(/^```(?:sh|yaml)?\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
}

export function withBlock(text: string, start: string, block: string): string {
  const old = blocksOf(text).find((candidate) => candidate.startsWith(start));
  if (old === undefined) throw new Error(`The page has no block that begins with ${start}`);
  return text.replace(old, () => block);
}
