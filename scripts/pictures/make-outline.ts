/**
 * Makes the outline of the map picker: the borders of Uzbekistan and of the countries around it, from Natural
 * Earth (public domain). Run `node scripts/pictures/make-outline.ts FILE` with `countries-10m.json` of the
 * package world-atlas 2.0.2. The result is committed, so neither a build nor a browser downloads anything.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../lib/processes.ts'

type Point = readonly [lng: number, lat: number]
type Line = readonly Point[]

/** Part of a TopoJSON file that is read: shared lines as steps on a grid, and the countries made of them. */
interface MapTopology {
  transform: { scale: Point; translate: Point }
  mapArcs: Line[]
  objects: { countries: { geometries: { id?: string; arcs: number[][] | number[][][] }[] } }
}

const uzbekistan = '860'
const mapBounds = { west: 53, east: 76, south: 35, north: 48.5 }
/** Maximum error of a border in degrees, about 600 m: finer than the map is ever shown. */
const tolerance = { home: 0.006, others: 0.02 }

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('Name the file: node scripts/pictures/make-outline.ts countries-10m.json')
const { transform, mapArcs: arcs, objects } = JSON.parse(readFileSync(file, 'utf8')) as MapTopology
const lines = arcs.map(decodeArc)

/** Points of a border line; the file stores the first point and the steps to each next one. */
function decodeArc(steps: Line): Point[] {
  let [x, y] = [0, 0]
  return steps.map(([dx, dy]) => {
    x += dx
    y += dy
    return [x * transform.scale[0] + transform.translate[0], y * transform.scale[1] + transform.translate[1]]
  })
}

/** Returns the border line at an index; a negative index means the same line reversed. */
const lineOf = (index: number): Line => (index < 0 ? (lines[~index] ?? []).toReversed() : (lines[index] ?? []))

/** Returns the distance of a point from the straight line between two others. */
function measureDistance([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const length = Math.hypot(bx - ax, by - ay)
  return length === 0 ? Math.hypot(x - ax, y - ay) : Math.abs((bx - ax) * (ay - y) - (ax - x) * (by - ay)) / length
}

/**
 * Simplifies a border by Douglas and Peucker: the fewest points that keep every dropped point within the
 * tolerance.
 */
function simplifyLine(line: Line, maxDeviation: number): Line {
  const [startPoint, endPoint] = [line[0], line.at(-1)]
  if (line.length < 3 || !startPoint || !endPoint) return line
  const deviations = line.map((point) => measureDistance(point, startPoint, endPoint))
  const farthestIndex = deviations.reduce(
    (bestIndex, value, index) => (value > (deviations[bestIndex] ?? 0) ? index : bestIndex),
    0,
  )
  if ((deviations[farthestIndex] ?? 0) <= maxDeviation) return [startPoint, endPoint]
  return [
    ...simplifyLine(line.slice(0, farthestIndex + 1), maxDeviation),
    ...simplifyLine(line.slice(farthestIndex), maxDeviation).slice(1),
  ]
}

const isNear = ([lng, lat]: Point) =>
  lng >= mapBounds.west && lng <= mapBounds.east && lat >= mapBounds.south && lat <= mapBounds.north

/** Returns the parts of a border line that the map can show. */
function clipToCountry(line: Line): Point[][] {
  const parts: Point[][] = [[]]
  for (const point of line) {
    if (isNear(point)) parts.at(-1)?.push(point)
    else if (parts.at(-1)?.length) parts.push([])
  }
  return parts.filter((lineSection) => lineSection.length > 1)
}

/** Writes a border line as one short text, `lng,lat lng,lat …`. */
const formatLine = (line: Line) =>
  line.map(([lng, lat]) => `${Number(lng.toFixed(3))},${Number(lat.toFixed(3))}`).join(' ')

const { geometries } = objects.countries
const home = geometries.find(({ id }) => id === uzbekistan)
if (!home) throw new Error('The file has no Uzbekistan')
const polygons = home.arcs.map((rings) => rings.flat())
const homeArcs = new Set(polygons.flat().map((index) => (index < 0 ? ~index : index)))
const borderRings = polygons.map((ring) =>
  ring.flatMap((index, position) => simplifyLine(lineOf(index), tolerance.home).slice(position === 0 ? 0 : 1)),
)
const borders = lines.flatMap((line, index) =>
  homeArcs.has(index) ? [] : clipToCountry(line).map((lineSection) => simplifyLine(lineSection, tolerance.others)),
)

const target = join(repositoryRoot, 'packages/panel/src/fields/map/outline.json')
writeFileSync(target, `${JSON.stringify({ home: borderRings.map(formatLine), borders: borders.map(formatLine) })}\n`)
