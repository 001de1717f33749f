/** Fills of the parts of a stacked bar: each has a colour and a pattern, so that colour is not needed to tell them apart. */

/** Number of the fills. */
export const fillCount = 6

const colourOf = (index: number) => `var(--chart-${(index % fillCount) + 1})`

/** Lines over the colour of each fill, in a square of eight. */
const marks = ['', 'M0 0L8 8M-2 6L2 10M6 -2L10 2', 'M0 4H8', 'M4 0V8', 'M0 8L8 0M-2 2L2 -2M6 10L10 6', 'M0 4H8M4 0V8']

/** Fills as patterns, for the `defs` of a drawing. */
export function Patterns({ id }: { id: string }) {
  return Array.from({ length: fillCount }, (_, index) => (
    <pattern key={index} id={fillId(id, index)} width="8" height="8" patternUnits="userSpaceOnUse">
      <rect width="8" height="8" fill={colourOf(index)} />
      <path d={marks[index]} stroke="var(--surface)" strokeWidth="1.5" fill="none" />
    </pattern>
  ))
}

const fillId = (id: string, index: number) => `${id}-${index % fillCount}`
export const fillOf = (id: string, index: number): string => `url(#${fillId(id, index)})`
