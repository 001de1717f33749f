/** Colours of the PDF of a report, for white paper. */
export const ink = '#1f2937'
export const mutedColour = '#5b6472'
export const line = '#d5dae1'
export const strip = '#eef1f4'
export const presentColour = '#15803d'
export const earlierColour = '#7c4a03'
