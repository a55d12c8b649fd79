/** Begins the comment that holds the program. In two parts, so that the starter itself does not say it. */
export const opening = ["/*", "program\n"].join("");

/** Between what is always needed, which is plain, and the rest, which is packed: Node reads all of the file at every start. */
export const between = "\n*rest\n";

/** Ends it, and the file. */
export const closing = "\n*/\n";

/** What stands in it where the program has the end of a comment. */
export const hidden = "*%/";
