/** Parts of drawings: shapes as SVG text, and their colours. */
import { drawOf, pickItem } from '../draws.ts'

/** A drawn picture with its size in pixels. */
export interface SvgDrawing {
  width: number
  height: number
  /** SVG of the drawing's shapes, the farthest first. */
  body: string
}

/** Converts the drawing to an SVG document. */
export const toDocument = ({ width, height, body }: SvgDrawing): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${body}</svg>`

const figure = (value: number) => String(Math.round(value * 10) / 10)

export const rect = (x: number, y: number, width: number, height: number, fill: string, radius = 0): string =>
  `<rect x="${figure(x)}" y="${figure(y)}" width="${figure(width)}" height="${figure(height)}" rx="${radius}" fill="${fill}"/>`

export const ellipse = (x: number, y: number, rx: number, ry: number, fill: string, attributes = ''): string =>
  `<ellipse cx="${figure(x)}" cy="${figure(y)}" rx="${figure(rx)}" ry="${figure(ry)}" fill="${fill}" ${attributes}/>`

export const path = (pathData: string, fill: string, attributes = ''): string =>
  `<path d="${pathData}" fill="${fill}" ${attributes}/>`

/** Draws a line of a given width with round ends. */
export const stroke = (pathData: string, colour: string, width: number): string =>
  `<path d="${pathData}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`

/** Moves, scales and turns the shapes of a drawing. */
export const placeBody = (body: string, x: number, y: number, scale = 1, turn = 0): string =>
  `<g transform="translate(${figure(x)} ${figure(y)}) rotate(${figure(turn)}) scale(${figure(scale * 100) === '100' ? 1 : scale.toFixed(3)})">${body}</g>`

let gradients = 0
/** Draws a rectangle with a vertical gradient from one colour to another. */
export function drawShadedRect(
  x: number,
  y: number,
  width: number,
  height: number,
  topColour: string,
  bottomColour: string,
): string {
  const id = `shade${(gradients += 1)}`
  return `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${topColour}"/><stop offset="1" stop-color="${bottomColour}"/></linearGradient>${rect(x, y, width, height, `url(#${id})`)}`
}

/** Returns the numbers from 0 up to a given count. */
export const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

/** Returns a pseudo-random number between two others, the same for the same keys. */
export const numberBetween = (minimum: number, maximum: number, ...drawKeys: (string | number)[]): number =>
  minimum + drawOf(...drawKeys) * (maximum - minimum)

/** The colours of a time of day: sky at the top and at the horizon, sun, hills, earth. */
export interface SceneLight {
  highColour: string
  low: string
  sun: string
  hills: readonly [string, string]
  earth: string
}

const lights: readonly SceneLight[] = [
  { highColour: '#7db4d8', low: '#dcecf2', sun: '#fff6d6', hills: ['#a9bfc4', '#8aa899'], earth: '#8a6b4a' },
  { highColour: '#f0b98a', low: '#fbe6c8', sun: '#fffaf0', hills: ['#c79a86', '#a07a63'], earth: '#7a5a3e' },
  { highColour: '#9cc7d6', low: '#f3efdc', sun: '#fff3c4', hills: ['#b6c4ae', '#8fa57f'], earth: '#94714c' },
  { highColour: '#86a9c9', low: '#e7d9d3', sun: '#ffeccf', hills: ['#a99fb0', '#85809a'], earth: '#80644a' },
]

/** Returns the colours of a picture, chosen by its name. */
export const lightOf = (name: string): SceneLight => pickItem(lights, 'light', name)
