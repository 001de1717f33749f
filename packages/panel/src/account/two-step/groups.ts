/** Splits a secret into groups of four, for copying by hand. */
export const inGroups = (secret: string): string => secret.replaceAll(/\s/g, '').replaceAll(/(.{4})(?=.)/g, '$1 ')
