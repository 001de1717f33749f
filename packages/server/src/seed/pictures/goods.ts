/** Draws goods in a box, a sack or a bottle, on a plain background. */
import { pickItem } from '../draws.ts'
import { drawBeast, ear, hen, tree } from './plants.ts'
import {
  numberBetween,
  type SvgDrawing,
  ellipse,
  numbers,
  path,
  placeBody,
  rect,
  drawShadedRect,
  stroke,
} from './svg.ts'

const sideLength = 1000

const backgroundColours = [
  ['#eef1e6', '#d7dcc3'],
  ['#f4ead9', '#e2cfae'],
  ['#e8eef1', '#c9d8dd'],
  ['#f3e6e0', '#dfc8bb'],
] as const

/** Draws a heap of one kind of goods, the nearest item last. */
const drawHeap = (name: string, draw: (index: number) => string, count = 9): string =>
  numbers(count)
    .map((index) => {
      const row = index < 2 ? 0 : index < 5 ? 1 : 2
      const column = row === 0 ? index - 0.5 : row === 1 ? index - 3 : index - 6.5
      return placeBody(
        draw(index),
        500 + column * 190 + numberBetween(-16, 16, 'heap', name, index),
        470 + row * 130,
        numberBetween(0.94, 1.1, 'grown', name, index),
        numberBetween(-14, 14, 'turned', name, index),
      )
    })
    .join('')

const fruitShine = ellipse(-34, -38, 26, 16, '#ffffff', 'opacity="0.35" transform="rotate(-30 -34 -38)"')
const stem = stroke('M0 -92 Q6 -112 22 -120', '#5d7a3a', 9)
const drawRoundShape = (colour: string, rx = 104, ry = 98, top = stem): string =>
  ellipse(6, 14, rx, ry, '#000000', 'opacity="0.10"') + ellipse(0, 0, rx, ry, colour) + fruitShine + top
const drawLongShape = (colour: string, leaf: string): string =>
  path('M-20 -150 Q70 -150 60 -60 Q40 100 0 170 Q-40 100 -60 -60 Q-66 -150 -20 -150 Z', colour) +
  stroke('M-10 -150 Q-50 -210 -70 -230 M0 -150 Q0 -220 6 -246 M10 -150 Q50 -200 78 -222', leaf, 14)
const pod = (colour: string): string =>
  ellipse(0, 0, 150, 40, colour) + ellipse(-40, -8, 60, 10, '#ffffff', 'opacity="0.25"')
const cluster = (colour: string): string =>
  numbers(14)
    .map((index) =>
      ellipse(
        -60 + (index % 5) * 32 + (Math.floor(index / 5) % 2) * 14,
        -80 + Math.floor(index / 5) * 44,
        30,
        30,
        colour,
        'stroke="#00000022" stroke-width="3"',
      ),
    )
    .join('') + stroke('M10 -110 L20 -160', '#6b5a35', 9)
const flower = (petal: string, heart: string): string =>
  numbers(14)
    .map((index) => ellipse(0, -92, 22, 52, petal, `transform="rotate(${index * 25.7})"`))
    .join('') + ellipse(0, 0, 62, 62, heart)
const boll =
  numbers(5)
    .map((index) =>
      ellipse(
        Math.cos(index * 1.257) * 46,
        Math.sin(index * 1.257) * 46,
        58,
        54,
        '#fbfaf4',
        'stroke="#d9d5c6" stroke-width="4"',
      ),
    )
    .join('') + path('M-40 76 L0 40 L40 76 L0 118 Z', '#7a5c3a')
const drawLeaves = (colour: string): string =>
  numbers(7)
    .map((index) =>
      path('M0 60 Q-60 -40 0 -150 Q60 -40 0 60 Z', colour, `opacity="0.9" transform="rotate(${(index - 3) * 24})"`),
    )
    .join('')
const sack = (cloth: string, mark: string): string =>
  path('M-150 190 Q-190 -60 -110 -170 L110 -170 Q190 -60 150 190 Z', cloth) +
  stroke('M-116 -150 Q0 -120 116 -150', '#00000030', 12) +
  ellipse(0, 30, 78, 78, mark)
const bottle = (colour: string, label: string): string =>
  rect(-34, -230, 68, 70, '#444b50', 10) +
  path('M-34 -160 L34 -160 Q96 -120 96 -60 L96 190 L-96 190 L-96 -60 Q-96 -120 -34 -160 Z', colour) +
  rect(-80, -20, 160, 130, label, 8)
const jar = (colour: string): string =>
  rect(-110, -170, 220, 60, '#8a6541', 14) +
  rect(-130, -110, 260, 300, colour, 46) +
  rect(-130, -110, 90, 300, '#ffffff', 46).replace('/>', ' opacity="0.18"/>')
const fish = (colour: string): string =>
  path('M-190 0 Q-60 -110 110 -20 L200 -90 L200 90 L110 20 Q-60 110 -190 0 Z', colour) +
  ellipse(-120, -16, 12, 12, '#2b2622') +
  stroke('M-70 -50 Q-40 0 -70 50', '#00000030', 8)
const meatSlice = (flesh: string, fat: string): string =>
  path('M-180 40 Q-160 -140 40 -130 Q210 -110 180 40 Q120 150 -40 130 Q-160 120 -180 40 Z', fat) +
  path('M-140 36 Q-120 -96 36 -92 Q160 -76 138 34 Q90 106 -36 96 Q-124 84 -140 36 Z', flesh) +
  stroke('M-80 10 Q0 -40 90 0', fat, 10)
const eggs = (name: string): string =>
  numbers(8)
    .map((index) =>
      ellipse(
        230 + (index % 4) * 180,
        480 + Math.floor(index / 4) * 190,
        74,
        94,
        pickItem(['#f0d9bd', '#e2bd95', '#f7efe2'], 'egg', name, index),
        'stroke="#00000018" stroke-width="4"',
      ),
    )
    .join('')
const drawBunch = (colour: string, name: string): string =>
  numbers(11)
    .map((index) => placeBody(ear(colour, `${name}${index}`), 250 + index * 50, 820, 4.2, (index - 5) * 4))
    .join('')
const placeUpright = (body: string, scale: number): string => placeBody(body, 470, 790, scale)
const grain = (colour: string, name: string): string =>
  placeBody(sack('#d8c39a', '#b99a64'), 330, 540, 1.5) +
  numbers(60)
    .map((index) =>
      ellipse(
        numberBetween(420, 900, 'grain', name, index),
        numberBetween(640, 860, 'grains', name, index),
        20,
        11,
        colour,
        `transform="rotate(${(index * 37) % 180} ${numberBetween(420, 900, 'grain', name, index)} ${numberBetween(640, 860, 'grains', name, index)})" stroke="#00000022" stroke-width="2"`,
      ),
    )
    .join('')

type DrawGoods = (name: string) => string

/** Drawings of goods by the slug of the product. */
const drawings: Readonly<Record<string, DrawGoods>> = {
  wheat: (name) => drawBunch('#d2a640', name),
  barley: (name) => drawBunch('#c9b15e', name),
  sorghum: (name) => drawBunch('#a8552f', name),
  'wheat-seed': (name) => grain('#c9963a', name),
  rice: (name) => grain('#f6f2e6', name),
  paddy: (name) => grain('#d9b25a', name),
  maize: (name) => drawHeap(name, () => drawLongShape('#e8b93a', '#6d9a45')),
  mung: (name) => grain('#6f8a3a', name),
  beans: (name) => drawHeap(name, () => pod('#b5523f')),
  sesame: (name) => grain('#efe3c4', name),
  potato: (name) => drawHeap(name, () => drawRoundShape('#c9a06a', 118, 88, '')),
  onion: (name) =>
    drawHeap(name, () => drawRoundShape('#b9683a', 100, 94, stroke('M0 -90 Q-4 -130 10 -150', '#c9a56a', 12))),
  garlic: (name) => drawHeap(name, () => drawRoundShape('#efe6dc', 84, 80, stroke('M0 -78 L4 -150', '#d8c9ae', 16))),
  carrot: (name) => drawHeap(name, () => drawLongShape('#e2792b', '#5d8f3f'), 7),
  beetroot: (name) =>
    drawHeap(name, () =>
      drawRoundShape('#8a2f4a', 96, 96, stroke('M0 -92 Q-30 -150 -44 -180 M4 -92 Q30 -150 50 -176', '#6f9a45', 12)),
    ),
  tomato: (name) =>
    drawHeap(name, () =>
      drawRoundShape('#d2402f', 104, 94, stroke('M-36 -86 L0 -96 L36 -86 M0 -96 L6 -124', '#4f7f3a', 11)),
    ),
  cucumber: (name) => drawHeap(name, () => pod('#5f9a48')),
  cabbage: (name) =>
    drawHeap(
      name,
      () => drawRoundShape('#a8c98a', 118, 112, stroke('M-70 20 Q0 -60 70 20 M-30 70 Q0 10 40 70', '#dcebc8', 9)),
      5,
    ),
  'bell-pepper': (name) =>
    drawHeap(name, (index) => drawRoundShape(['#d2402f', '#e8b33a', '#5f9a48'][index % 3] ?? '#d2402f', 88, 108)),
  melon: (name) =>
    drawHeap(
      name,
      () => drawRoundShape('#e6c45a', 150, 108, stroke('M-120 0 Q0 -90 120 0 M-120 30 Q0 110 120 30', '#cfa640', 7)),
      5,
    ),
  watermelon: (name) =>
    drawHeap(
      name,
      () =>
        drawRoundShape(
          '#3f7a45',
          146,
          132,
          stroke('M-110 -40 Q-20 0 -110 60 M0 -120 Q30 0 0 120 M96 -70 Q50 0 96 80', '#7fb06a', 16),
        ),
      5,
    ),
  pumpkin: (name) =>
    drawHeap(
      name,
      () =>
        drawRoundShape(
          '#dd8a2f',
          148,
          112,
          stroke('M-70 -70 Q-110 0 -70 80 M70 -70 Q110 0 70 80 M0 -100 L0 100', '#b96f22', 8),
        ),
      5,
    ),
  apple: (name) => drawHeap(name, () => drawRoundShape('#c93d3a')),
  grape: (name) => drawHeap(name, () => cluster('#6d4a86'), 7),
  raisin: (name) => grain('#5d3b2a', name),
  apricot: (name) => drawHeap(name, () => drawRoundShape('#eda23f', 92, 90)),
  peach: (name) => drawHeap(name, () => drawRoundShape('#ee9a76', 104, 100)),
  pomegranate: (name) =>
    drawHeap(name, () =>
      drawRoundShape(
        '#b3323f',
        108,
        104,
        path('M-24 -92 L-30 -134 L-8 -112 L0 -138 L10 -112 L30 -132 L24 -92 Z', '#9a2a36'),
      ),
    ),
  cherry: (name) =>
    drawHeap(name, () => drawRoundShape('#9a1f33', 64, 62, stroke('M0 -58 Q20 -130 60 -160', '#5d7a3a', 8))),
  walnut: (name) =>
    drawHeap(name, () =>
      drawRoundShape(
        '#b58a55',
        92,
        86,
        stroke('M0 -84 Q-16 0 0 84 M-50 -40 Q-30 -10 -56 30 M46 -46 Q30 0 54 34', '#8a6238', 7),
      ),
    ),
  cotton: (name) => drawHeap(name, () => boll, 8),
  'cotton-seed': (name) => grain('#7d6a55', name),
  'cotton-meal': () => placeBody(sack('#d8cdb2', '#b79b50'), 500, 540, 1.9),
  sunflower: (name) => drawHeap(name, () => flower('#e8b32f', '#6d4a2c'), 5),
  liquorice: (name) => drawHeap(name, () => stroke('M-150 40 Q-40 -40 150 10 M-40 -6 Q0 60 40 90', '#7d5a35', 34)),
  alfalfa: (name) => drawHeap(name, () => drawLeaves('#5f9247')),
  straw: () =>
    rect(220, 420, 560, 360, '#d9b85a', 24) +
    stroke('M220 540 H780 M220 660 H780', '#b08c36', 12) +
    numbers(14)
      .map((index) => stroke(`M${240 + index * 40} 430 l16 340`, '#e8cf80', 5))
      .join(''),
  bran: () => placeBody(sack('#e0cfa6', '#a8763f'), 500, 540, 1.9),
  cow: () => placeUpright(drawBeast('#7a4f33', '#f0e6d6', false), 4),
  bull: () => placeUpright(drawBeast('#3a2f2a', '#5d4a3f', false), 4.1),
  sheep: () => placeUpright(drawBeast('#efe7d8', '#3d332b', true), 4.6),
  goat: () => placeUpright(drawBeast('#cbb79a', '#8a6f52', true), 4.4),
  chicken: () => placeUpright(hen('#b5622f'), 6),
  beef: (name) => drawHeap(name, () => meatSlice('#a8323a', '#efd9cc'), 3),
  mutton: (name) => drawHeap(name, () => meatSlice('#b84a4a', '#f2e2d6'), 3),
  'poultry-meat': (name) => drawHeap(name, () => meatSlice('#eec0a6', '#f6dfd0'), 3),
  milk: () =>
    placeBody(bottle('#fbfbf8', '#7fb0d0'), 400, 540, 1.5) + placeBody(bottle('#fbfbf8', '#d2a640'), 640, 560, 1.4),
  eggs: (name) => rect(120, 360, 760, 460, '#c9b18a', 30) + eggs(name),
  carp: (name) => drawHeap(name, () => fish('#8a9a8f'), 4),
  honey: () => placeBody(jar('#e0972a'), 400, 540, 1.35) + placeBody(jar('#c97a1f'), 670, 590, 1.1),
  'tomato-seedling': () =>
    numbers(12)
      .map((index) =>
        placeBody(
          drawLeaves('#5a9648') + stroke('M0 60 L0 150', '#6f9a52', 12) + rect(-50, 140, 100, 70, '#7a5238', 10),
          200 + (index % 4) * 200,
          320 + Math.floor(index / 4) * 210,
          0.72,
        ),
      )
      .join(''),
  'apple-seedling': (name) =>
    numbers(3)
      .map((index) => placeBody(tree('#5f9247', '#c93d3a', `${name}${index}`), 240 + index * 260, 830, 3.4))
      .join(''),
  urea: () => placeBody(sack('#f3f4f2', '#4a8fb5'), 500, 540, 1.9),
  'ammonium-nitrate': () => placeBody(sack('#eef1ea', '#5d9a5a'), 500, 540, 1.9),
  superphosphate: () => placeBody(sack('#e8e6e2', '#8a6f9a'), 500, 540, 1.9),
  manure: () =>
    ellipse(500, 700, 340, 160, '#5d4630') +
    ellipse(430, 620, 220, 110, '#6d5236') +
    ellipse(590, 640, 170, 90, '#66492f'),
  herbicide: () => placeBody(bottle('#4f8f5a', '#f2f2ea'), 500, 540, 1.8),
  insecticide: () => placeBody(bottle('#c9a63a', '#f2f2ea'), 500, 540, 1.8),
}

/** Slugs of the products with a drawing. */
export const drawnGoods: readonly string[] = Object.keys(drawings)

/**
 * Draws the goods of a product.
 *
 * @param product - The slug of the product.
 * @param name - The key that decides background and positions.
 * @returns The drawing.
 * @throws When the product has no drawing.
 */
export function goods(product: string, name: string): SvgDrawing {
  const drawProduct = drawings[product]
  if (!drawProduct) throw new Error(`There is no drawing of "${product}"`)
  const [topColour, bottomColour] = pickItem(backgroundColours, 'ground', name)
  return {
    width: sideLength,
    height: sideLength,
    body:
      drawShadedRect(0, 0, sideLength, sideLength, topColour, bottomColour) +
      ellipse(500, 850, 380, 46, '#000000', 'opacity="0.10"') +
      drawProduct(name),
  }
}
