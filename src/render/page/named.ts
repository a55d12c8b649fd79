import { labelled } from "./page.ts";

/** Something that has a name and can be told in a line. */
interface Named {
  readonly name: string;
  readonly title: string;
}

const GAP = 2;
const LEAST_COLUMNS = 20;

/** Names, and beside each what it is; below it where there is no room. `columns`: null where nobody minds the width. */
export function renderNamed(entries: readonly Named[], columns: number | null): string {
  const nameWidth = Math.max(...entries.map(({ name }) => name.length)) + GAP;
  const page = { columns: columns === null ? Number.POSITIVE_INFINITY : Math.max(LEAST_COLUMNS, columns) };
  return entries
    .flatMap(({ name, title }) => labelled(name, nameWidth, title, page).map((line) => `${line}\n`))
    .join("");
}
