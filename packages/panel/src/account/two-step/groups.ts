/** A secret as people copy it by hand: in groups of four. */
export const inGroups = (secret: string): string => secret.replaceAll(/\s/g, '').replaceAll(/(.{4})(?=.)/g, '$1 ')
