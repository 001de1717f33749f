/** The appearances of the panel that an organisation and each person choose from. */

/** Sets of colours, each for a light and a dark page, with checked contrast. */
export const palettes = [
  'bluenavy',
  'blueyale',
  'blueolympic',
  'greenmoss',
  'greenlime',
  'purplemonster',
  'orangecarrot',
  'redruby',
  'yellowgranola',
  'greysteel',
] as const
export type Palette = (typeof palettes)[number]

export const colourModes = ['light', 'dark'] as const
export type ColourMode = (typeof colourModes)[number]

/** The appearance of people who have not chosen one, until an owner changes it. */
export const presetAppearance = { palette: 'blueolympic', mode: 'dark' } as const satisfies {
  palette: Palette
  mode: ColourMode
}
