/** Splits a secret into groups of four, for copying by hand. */
export const splitSecret = (secret: string): string => secret.replaceAll(/\s/g, '').replaceAll(/(.{4})(?=.)/g, '$1 ')
