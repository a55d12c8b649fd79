/** The same text with a capital first letter. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A heading of a table as pages write it: "NEXT START" as "Next start". */
export function headingCase(heading: string): string {
  return heading.charAt(0) + heading.slice(1).toLowerCase();
}
