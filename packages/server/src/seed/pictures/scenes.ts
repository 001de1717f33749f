/** Draws landscapes as covers of news, courses, offers and branches: fields, orchards, canals, markets. */
import { pickItem } from '../draws.ts'
import { drawBeast, bush, ear, hen, poplar, tree } from './plants.ts'
import {
  numberBetween,
  type SvgDrawing,
  ellipse,
  type SceneLight,
  lightOf,
  numbers,
  path,
  placeBody,
  rect,
  drawShadedRect,
  stroke,
} from './svg.ts'

const [width, height] = [1280, 800]
const horizon = 380

/** The kinds of drawn landscapes. */
export const sceneKinds = [
  'field',
  'water',
  'market',
  'livestock',
  'greenhouse',
  'training',
  'orchard',
  'machinery',
  'office',
  'digital',
] as const
export type SceneKind = (typeof sceneKinds)[number]

function drawGround(name: string, { highColour, low, sun, hills }: SceneLight): string {
  const sunX = numberBetween(200, 1080, 'sun', name)
  const hill = (colour: string, base: number, swing: number, key: string) => {
    const points = numbers(9).map((index) => `${index * 160} ${base - numberBetween(0, swing, key, name, index)}`)
    return path(`M0 ${horizon + 30} L0 ${base} Q${points.join(' ')} L1280 ${horizon + 30} Z`, colour)
  }
  return (
    drawShadedRect(0, 0, width, horizon + 30, highColour, low) +
    ellipse(sunX, numberBetween(90, 220, 'height', name), 62, 62, sun, 'opacity="0.95"') +
    numbers(3)
      .map((index) => {
        const [x, y] = [numberBetween(80, 1150, 'cloud', name, index), numberBetween(60, 200, 'clouds', name, index)]
        return (
          ellipse(x, y, 90, 20, '#ffffff', 'opacity="0.55"') +
          ellipse(x + 40, y - 14, 54, 20, '#ffffff', 'opacity="0.5"')
        )
      })
      .join('') +
    hill(hills[0], horizon - 30, 90, 'far') +
    hill(hills[1], horizon + 6, 46, 'near') +
    numbers(7)
      .map((index) =>
        placeBody(
          poplar('#5f7f55'),
          numberBetween(20, 1260, 'poplar', name, index),
          horizon + 16,
          numberBetween(0.55, 0.9, 'size', name, index),
        ),
      )
      .join('')
  )
}

const drawGradient = (topColour: string, bottomColour: string) =>
  drawShadedRect(0, horizon, width, height - horizon, topColour, bottomColour)

/** Draws rows of plants that come nearer. */
function rows(name: string, draw: (key: string) => string, step = 1): string {
  return numbers(8)
    .map((row) => {
      const nearness = (row + 1) / 8
      const y = horizon + 34 + nearness ** 1.7 * (height - horizon)
      const scale = (0.35 + nearness * 1.25) * step
      const gap = 92 * scale
      const shiftWidth = numberBetween(0, gap, 'row', name, row)
      return numbers(Math.ceil(width / gap) + 2)
        .map((index) => placeBody(draw(`${name}${row % 3}${index % 5}`), index * gap - shiftWidth, y, scale))
        .join('')
    })
    .join('')
}

const furrows = (name: string, darkColour: string, lightColour: string) =>
  numbers(17)
    .map((index) =>
      path(
        `M640 ${horizon} L${-900 + index * 190} ${height} L${-810 + index * 190} ${height} Z`,
        index % 2 ? darkColour : lightColour,
        'opacity="0.55"',
      ),
    )
    .join('') + ellipse(numberBetween(300, 900, 'shade', name), 700, 420, 60, '#000000', 'opacity="0.05"')

const person = (cloth: string, cap: string): string =>
  rect(-13, -34, 11, 34, '#4a4038') +
  rect(3, -34, 11, 34, '#4a4038') +
  rect(-20, -92, 40, 62, cloth, 12) +
  ellipse(0, -108, 15, 17, '#d9a57d') +
  path('M-17 -112 Q0 -140 17 -112 Z', cap)

const clothColours = ['#3f6f8f', '#8f4a3f', '#5d7a45', '#7a5d8a', '#b0803a']

const people = (name: string, count: number, y: number) =>
  numbers(count)
    .map((index) =>
      placeBody(
        person(
          pickItem(clothColours, 'cloth', name, index),
          pickItem(['#e9e2d0', '#2f3b45', '#b84a3a'], 'cap', name, index),
        ),
        260 + index * (800 / count) + numberBetween(-30, 30, 'stand', name, index),
        y + numberBetween(-14, 20, 'step', name, index),
        1.9,
      ),
    )
    .join('')

const tractor = (colour: string): string =>
  rect(-70, -110, 120, 62, colour, 8) +
  rect(-66, -178, 74, 74, colour, 8) +
  rect(-56, -168, 52, 46, '#cfe3ea', 4) +
  rect(30, -150, 9, 44, '#3b3b3b') +
  ellipse(-44, -46, 52, 52, '#2d2a28') +
  ellipse(-44, -46, 22, 22, '#d9c28a') +
  ellipse(48, -30, 32, 32, '#2d2a28') +
  ellipse(48, -30, 13, 13, '#d9c28a')

const crops: readonly ((key: string) => string)[] = [
  (key) => bush('#5f8a48', '#fbfaf3', key),
  (key) => ear('#d2a640', key),
  (key) => bush('#4f7f3f', '#c8402f', key),
  (key) => bush('#77a04f', '#e6c04a', key),
]

/** Foregrounds by kind of landscape. */
const subjects: Readonly<Record<SceneKind, (name: string, light: SceneLight) => string>> = {
  field: (name, { earth }) =>
    drawGradient('#a9a35c', earth) + furrows(name, '#6c5137', '#8a6b4a') + rows(name, pickItem(crops, 'crop', name)),
  water: (name) =>
    drawGradient('#a8b070', '#7e8a4c') +
    path(`M600 ${horizon} L690 ${horizon} L1120 ${height} L160 ${height} Z`, '#5f9fbd') +
    numbers(9)
      .map((index) =>
        stroke(`M${numberBetween(430, 560, 'wave', name, index)} ${440 + index * 40} q40 -10 90 0`, '#cbe6ef', 4),
      )
      .join('') +
    numbers(5)
      .map(
        (index) =>
          placeBody(poplar('#55774b'), 90 + index * 34, 470 + index * 74, 1 + index * 0.35) +
          placeBody(poplar('#4d6f45'), 1190 - index * 30, 470 + index * 74, 1 + index * 0.35),
      )
      .join(''),
  market: (name) =>
    drawGradient('#cdbb95', '#a98d63') +
    numbers(4)
      .map((index) => {
        const x = 60 + index * 305
        const stripes = numbers(6)
          .map((stripeIndex) =>
            rect(
              x + stripeIndex * 46,
              400,
              46,
              60,
              stripeIndex % 2
                ? '#f4efe4'
                : pickItem(['#c14f3d', '#3f7f6a', '#d09b35', '#4a6f9c'], 'awning', name, index),
            ),
          )
          .join('')
        const goods = numbers(12)
          .map((goodsIndex) =>
            ellipse(
              x + 26 + (goodsIndex % 6) * 44,
              590 - Math.floor(goodsIndex / 6) * 26,
              20,
              18,
              pickItem(
                ['#d24a36', '#e8b33c', '#6e9b45', '#c77b2e', '#8f4f80'],
                'good',
                name,
                index,
                Math.floor(goodsIndex / 3),
              ),
            ),
          )
          .join('')
        return (
          stripes +
          rect(x, 455, 9, 250, '#6d513a') +
          rect(x + 267, 455, 9, 250, '#6d513a') +
          rect(x, 600, 276, 70, '#8a6541', 6) +
          goods
        )
      })
      .join('') +
    people(name, 3, 790),
  livestock: (name) =>
    drawGradient('#b5b86c', '#7f8f47') +
    numbers(6)
      .map((index) =>
        placeBody(
          pickItem(
            [
              drawBeast('#7a4f33', '#f0e6d6', false),
              drawBeast('#efe7d8', '#3d332b', true),
              drawBeast('#2f2a27', '#f1ece2', false),
              hen('#e9dcc4'),
            ],
            'herd',
            name,
            Math.floor(index / 3),
          ),
          150 + (index % 3) * 380 + numberBetween(-40, 60, 'graze', name, index),
          560 + Math.floor(index / 3) * 170,
          1.2 + Math.floor(index / 3) * 0.6,
        ),
      )
      .join(''),
  greenhouse: (name) =>
    drawGradient('#b9b37a', '#8d7a4e') +
    numbers(3)
      .map((index) => {
        const x = 70 + index * 400
        return (
          path(
            `M${x} 720 L${x} 500 Q${x + 175} 330 ${x + 350} 500 L${x + 350} 720 Z`,
            '#dcefe9',
            'opacity="0.9" stroke="#8fa9a3" stroke-width="6"',
          ) +
          numbers(5)
            .map((plantIndex) =>
              placeBody(
                bush('#4f8a45', pickItem(['#d2402f', '#e7b53a'], 'glass', name, index), `${name}${index}${plantIndex}`),
                x + 45 + plantIndex * 66,
                710,
                1.1,
              ),
            )
            .join('')
        )
      })
      .join(''),
  training: (name, light) =>
    subjects.field(name, light) +
    rect(420, 430, 440, 240, '#f7f3ea', 10) +
    rect(440, 450, 400, 200, '#2f5d50', 6) +
    stroke('M480 600 L560 540 L640 570 L760 490', '#f2d98b', 8) +
    people(name, 5, 790),
  orchard: (name) =>
    drawGradient('#a9b765', '#748a44') +
    rows(
      name,
      (key) =>
        tree(
          pickItem(['#5b8a4a', '#6f9a52', '#4c7a45'], 'leaf', name),
          pickItem(['#d2402f', '#e8a23a', '#8a3f6a', '#e6d24a'], 'fruit', name),
          key,
        ),
      0.85,
    ),
  machinery: (name, { earth }) =>
    drawGradient('#b79f68', earth) +
    furrows(name, '#6b4f35', '#8b6a48') +
    placeBody(
      tractor(pickItem(['#2f7a4b', '#b8402f', '#2f62a0'], 'tractor', name)),
      numberBetween(480, 800, 'drive', name),
      690,
      2.5,
    ),
  office: (name) =>
    drawGradient('#c9bf9a', '#9d8f68') +
    rect(300, 300, 680, 400, pickItem(['#e7d8b8', '#d8e0d6', '#efe2d0'], 'wall', name), 6) +
    path('M270 310 L640 200 L1010 310 Z', pickItem(['#8c4f3d', '#54707a', '#6d7f4f'], 'roof', name)) +
    numbers(8)
      .map((index) => rect(350 + (index % 4) * 160, 350 + Math.floor(index / 4) * 160, 90, 100, '#9cc0cc', 4))
      .join('') +
    rect(590, 540, 100, 160, '#6d513a', 4) +
    placeBody(poplar('#5b7f4e'), 190, 730, 2.4) +
    placeBody(poplar('#527548'), 1090, 730, 2.6) +
    people(name, 2, 790),
  digital: (name, light) =>
    subjects.field(name, light) +
    rect(500, 210, 300, 560, '#23292e', 40) +
    rect(520, 250, 260, 470, '#f4f7f2', 10) +
    numbers(5)
      .map((index) =>
        rect(
          545,
          290 + index * 78,
          numberBetween(90, 200, 'bar', name, index),
          34,
          pickItem(['#4b8a5b', '#d2a640', '#4a7fa5'], 'bars', name, index),
          8,
        ),
      )
      .join(''),
}

/** Draws a landscape of a kind; the name decides everything else. */
export function scene(kind: SceneKind, name: string): SvgDrawing {
  const light = lightOf(name)
  return { width, height, body: drawGround(name, light) + subjects[kind](name, light) }
}
