/** Colours of the PDF of a report, for white paper. */
export const ink = '#1f2937'
export const muted = '#5b6472'
export const line = '#d5dae1'
export const strip = '#eef1f4'
export const present = '#15803d'
export const earlier = '#7c4a03'
