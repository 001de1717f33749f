/** Limits of calls about files. */

/** Files of one upload (contract §10). */
export const maxFiles = 10

/** Files in one call that moves or deletes them. */
export const maxFilesTogether = 100
