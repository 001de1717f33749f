/** The limits of the search over all resources by name. */

/** Letters of a text that is searched for: longer texts are no names. */
export const maxSearched = 200
export const foundPerResource = 5
export const foundAtMost = 30
