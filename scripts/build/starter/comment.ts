/** Begins the comment that holds the program. In two parts, so that the starter itself does not say it. */
export const opening = ["/*", "program\n"].join("");

/** Ends it, and the file. */
export const closing = "\n*/\n";

/** What stands in it where the program has the end of a comment. */
export const hidden = "*%/";
