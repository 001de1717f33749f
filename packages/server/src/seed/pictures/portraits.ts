/** Draws portraits, and emblems of companies. */
import { drawOf, pickItem } from '../draws.ts'
import { numberBetween, type SvgDrawing, ellipse, numbers, path, rect, drawShadedRect, stroke } from './svg.ts'

const sideLength = 640

const skinColours = ['#e6b48c', '#d39b70', '#c48a62', '#eec5a3']
const hairColours = ['#2b211c', '#3d2c22', '#1f1a18', '#6d6259']
const clothColours = ['#3f6f8f', '#8f4a3f', '#4f7a52', '#7a5d8a', '#b0803a', '#33526d']
const wallColours = [
  ['#dfe8e2', '#bccfc4'],
  ['#f0e4d2', '#dcc4a0'],
  ['#e2e6ee', '#c0c9da'],
  ['#efe0dc', '#d8bdb5'],
] as const

/** Draws a person; the name decides face, hair and clothes. */
export function drawPortrait(name: string, isWoman: boolean): SvgDrawing {
  const [topColour, bottomColour] = pickItem(wallColours, 'wall', name)
  const skinColour = pickItem(skinColours, 'skin', name)
  const hairColour = pickItem(hairColours, 'hair', name)
  const clothColour = pickItem(clothColours, 'cloth', name)
  const scarfColour = pickItem(clothColours.toReversed(), 'scarf', name)
  const backHair = isWoman
    ? path(
        'M180 300 Q170 110 320 104 Q470 110 460 300 L480 470 L160 470 Z',
        drawOf('veil', name) < 0.5 ? scarfColour : hairColour,
      )
    : ''
  const frontHair = isWoman
    ? path(
        'M206 270 Q210 140 320 136 Q430 140 434 270 Q400 190 320 186 Q240 190 206 270 Z',
        drawOf('veil', name) < 0.5 ? scarfColour : hairColour,
      )
    : path('M204 262 Q196 130 320 126 Q444 130 436 262 Q424 200 380 190 L260 190 Q216 200 204 262 Z', hairColour)
  const cap =
    !isWoman && drawOf('cap', name) < 0.45
      ? path('M206 190 L232 112 Q320 84 408 112 L434 190 Q320 160 206 190 Z', '#1f2428') +
        stroke('M262 130 q14 22 0 40 M320 122 q14 22 0 40 M378 130 q14 22 0 40', '#f2efe6', 6)
      : ''
  const beard =
    !isWoman && drawOf('beard', name) < 0.35
      ? path('M236 330 Q320 440 404 330 Q396 410 320 424 Q244 410 236 330 Z', hairColour)
      : ''
  const moustache =
    !isWoman && drawOf('moustache', name) < 0.5 ? stroke('M286 346 Q320 332 354 346', hairColour, 12) : ''
  return {
    width: sideLength,
    height: sideLength,
    body:
      drawShadedRect(0, 0, sideLength, sideLength, topColour, bottomColour) +
      backHair +
      path('M70 640 Q80 470 240 440 L400 440 Q560 470 570 640 Z', clothColour) +
      path('M264 380 L376 380 L388 452 Q320 500 252 452 Z', skinColour) +
      path('M252 448 L320 530 L388 448 L410 470 L320 580 L230 470 Z', '#f6f2e8') +
      ellipse(320, 284, 114, 136, skinColour) +
      ellipse(206, 290, 20, 32, skinColour) +
      ellipse(434, 290, 20, 32, skinColour) +
      beard +
      frontHair +
      cap +
      stroke(
        `M252 ${numberBetween(244, 254, 'brow', name)} Q276 236 298 250 M342 250 Q366 236 388 ${numberBetween(244, 254, 'brow', name)}`,
        hairColour,
        9,
      ) +
      ellipse(276, 280, 11, 12, '#2a211c') +
      ellipse(364, 280, 11, 12, '#2a211c') +
      stroke('M320 290 Q306 326 324 330', '#00000035', 7) +
      moustache +
      stroke(`M286 366 Q320 ${numberBetween(378, 396, 'smile', name)} 354 366`, '#8f4a40', 8),
  }
}

const inkColours = ['#2f6b4f', '#8a3f35', '#2f5c86', '#7a5a1f', '#5a3f7a', '#20666b', '#9a5a1f']

const marks: readonly ((ink: string, pale: string) => string)[] = [
  (ink, pale) =>
    path('M320 120 Q520 240 320 520 Q120 240 320 120 Z', ink) +
    stroke('M320 180 L320 500 M320 300 L240 240 M320 380 L400 310', pale, 14),
  (ink, pale) =>
    ellipse(320, 250, 110, 110, ink) +
    numbers(3)
      .map((index) =>
        stroke(`M130 ${420 + index * 50} Q320 ${360 + index * 50} 510 ${420 + index * 50}`, index % 2 ? pale : ink, 26),
      )
      .join(''),
  (ink, pale) =>
    rect(150, 150, 340, 340, ink, 60) +
    numbers(4)
      .map((index) => stroke(`M${215 + index * 70} 430 Q${235 + index * 70} 320 ${215 + index * 70} 220`, pale, 26))
      .join(''),
  (ink, pale) =>
    numbers(6)
      .map((index) =>
        ellipse(
          320,
          210,
          46,
          100,
          index % 2 ? ink : pale,
          `transform="rotate(${index * 60} 320 320)" stroke="${ink}" stroke-width="10"`,
        ),
      )
      .join(''),
  (ink, pale) =>
    path('M320 110 L510 430 L130 430 Z', ink) +
    path('M320 260 Q400 360 320 410 Q240 360 320 260 Z', pale) +
    rect(160, 460, 320, 36, ink, 18),
  (ink, pale) =>
    ellipse(320, 320, 200, 200, ink) +
    ellipse(320, 320, 140, 140, pale) +
    stroke('M320 430 L320 250 M320 320 Q240 310 236 240 M320 300 Q396 290 404 220', ink, 22),
]

/** Draws the emblem of a company, a partner or a tool. */
export function drawEmblem(name: string): SvgDrawing {
  const ink = pickItem(inkColours, 'ink', name)
  const paleColour = pickItem(['#f2d98b', '#e7f0e4', '#f7efe0'], 'pale', name)
  return {
    width: sideLength,
    height: sideLength,
    body: rect(0, 0, sideLength, sideLength, '#fbfaf6') + pickItem(marks, 'mark', name)(ink, paleColour),
  }
}
