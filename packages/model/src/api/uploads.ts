/** Limits of API calls about files. */

/** Maximum number of files in one upload (contract §10). */
export const maxFiles = 10

/** Maximum number of files in one call that moves or deletes files. */
export const maxFilesTogether = 100
