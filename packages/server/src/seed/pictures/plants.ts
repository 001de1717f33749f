/** Draws plants and animals for landscapes. The feet of each drawing are at the point 0 0. */
import { numberBetween, ellipse, numbers, path, rect, stroke } from './svg.ts'

/** Draws a bush with dots of fruit or bolls. */
export const bush = (leaf: string, dot: string, name: string): string =>
  ellipse(0, -26, 34, 28, leaf) +
  ellipse(-20, -16, 22, 18, leaf, 'opacity="0.85"') +
  ellipse(22, -15, 22, 17, leaf, 'opacity="0.9"') +
  numbers(6)
    .map((index) =>
      ellipse(numberBetween(-34, 34, 'dot', name, index), numberBetween(-46, -8, 'dots', name, index), 6, 6, dot),
    )
    .join('')

/** Draws a stalk with an ear. */
export const ear = (colour: string, name: string): string => {
  const leaningAngle = numberBetween(-10, 10, 'lean', name)
  return (
    stroke(`M0 0 Q${leaningAngle / 2} -50 ${leaningAngle} -92`, colour, 3) +
    numbers(5)
      .map(
        (index) =>
          ellipse(
            leaningAngle - 5,
            -92 - index * 9,
            4,
            7,
            colour,
            `transform="rotate(-20 ${leaningAngle - 5} ${-92 - index * 9})"`,
          ) +
          ellipse(
            leaningAngle + 5,
            -96 - index * 9,
            4,
            7,
            colour,
            `transform="rotate(20 ${leaningAngle + 5} ${-96 - index * 9})"`,
          ),
      )
      .join('')
  )
}

/** Draws a fruit tree. */
export const tree = (leaf: string, fruit: string, name: string): string =>
  path('M-7 0 L-4 -60 L4 -60 L8 0 Z', '#6d513a') +
  ellipse(0, -104, 58, 52, leaf) +
  ellipse(-34, -84, 34, 30, leaf, 'opacity="0.9"') +
  ellipse(36, -86, 32, 30, leaf, 'opacity="0.9"') +
  numbers(9)
    .map((index) =>
      ellipse(
        numberBetween(-52, 52, 'fruit', name, index),
        numberBetween(-140, -68, 'fruits', name, index),
        7,
        7,
        fruit,
      ),
    )
    .join('')

/** Draws a poplar, which grows along canals and roads. */
export const poplar = (leaf: string): string =>
  rect(-3, -30, 6, 30, '#6d513a') + ellipse(0, -92, 16, 70, leaf) + ellipse(3, -84, 9, 56, '#ffffff', 'opacity="0.10"')

/** Draws an animal with four legs from its side. */
export const drawBeast = (coat: string, patch: string, isSmall: boolean): string => {
  const wool = isSmall
    ? numbers(7)
        .map((index) => ellipse(-50 + index * 16, -66 + (index % 2) * 6, 20, 20, coat))
        .join('')
    : ellipse(0, -66, 72, 34, coat) + ellipse(-20, -72, 24, 15, patch) + ellipse(36, -60, 18, 12, patch)
  const head = isSmall
    ? ellipse(74, -84, 17, 15, patch) + ellipse(64, -96, 6, 10, patch)
    : path('M58 -84 L92 -112 L108 -92 L96 -74 L70 -56 Z', coat) + stroke('M84 -110 Q78 -124 90 -128', '#e8dfcf', 5)
  const legs = numbers(4)
    .map((index) => rect(-46 + index * 28, -44, 10, 44, index % 2 ? coat : patch))
    .join('')
  return (
    legs +
    wool +
    head +
    stroke('M-70 -70 Q-86 -50 -78 -30', coat, 5) +
    ellipse(isSmall ? 79 : 92, -93, 2.5, 2.5, '#2b221b')
  )
}

/** Draws a hen. */
export const hen = (feather: string): string =>
  stroke('M-6 -14 L-8 0 M8 -14 L10 0', '#d98f2b', 4) +
  path('M-42 -58 Q-50 -18 0 -12 Q44 -16 40 -52 L54 -74 L40 -90 L24 -72 Q4 -58 -20 -48 Z', feather) +
  path('M36 -90 q4 -12 10 0 q8 -8 8 4 l-10 6 Z', '#c63b32') +
  path('M54 -76 l14 4 l-14 5 Z', '#e4a13a') +
  ellipse(46, -79, 2.4, 2.4, '#2b221b')
