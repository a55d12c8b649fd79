/** The first line has the names of the columns. Two or more spaces end a cell, and "-" is an empty cell. */
export function rowsOf<Column extends string>(table: string): Record<Column, string>[] {
  const [head = [], ...rows] = table
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s{2,}/));
  return rows.map((cells) => {
    if (cells.length !== head.length) throw new Error(`not a row of ${head.length} cells: ${cells.join(" | ")}`);
    const named = head.map((column, index) => [column, cells[index] === "-" ? "" : cells[index]]);
    return Object.fromEntries(named) as Record<Column, string>;
  });
}
