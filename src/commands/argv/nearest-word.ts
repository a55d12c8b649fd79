import { editDistance } from "../../cluster/api/nearest-names.ts";

/** Longer words take more mistakes: one in so many letters, and one in any. */
const LETTERS_PER_MISTAKE = 3.5;

/** The words that were probably meant by a misspelled one, the most likely first. */
export function nearestWords(word: string, words: readonly string[]): readonly string[] {
  return words
    .map((candidate) => ({ candidate, distance: distanceOf(word, candidate) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.floor(candidate.length / LETTERS_PER_MISTAKE)))
    .sort((a, b) => a.distance - b.distance)
    .map(({ candidate }) => candidate);
}

/** Two neighbours in the wrong order are one mistake. */
function distanceOf(word: string, candidate: string): number {
  return isSwapped(word, candidate) ? 1 : editDistance(word, candidate);
}

function isSwapped(word: string, candidate: string): boolean {
  const first = [...word].findIndex((letter, index) => letter !== candidate[index]);
  if (first === -1 || word.length !== candidate.length) return false;
  const swapped = word.slice(0, first) + word.slice(first + 1, first + 2) + word.slice(first, first + 1);
  return swapped + word.slice(first + 2) === candidate;
}
