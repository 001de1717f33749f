/** Bounds of the calls of files. */

/** Files of one upload (contract §10). */
export const maxFiles = 10

/** Files that one call moves or removes. */
export const maxFilesTogether = 100
