/**
 * A map of sized marks, one for each place, with its figure beside it. Places whose figures would overlap
 * show only their mark.
 */
import { divIcon, type FitBoundsOptions, latLngBounds, marker as createMarker } from 'leaflet'
import { drawCountry, createMarkElement, countryBounds } from './country-map.ts'
import type { MapPlace } from './place.ts'

export interface SpreadMark extends MapPlace {
  name: string
  /** Text shown beside the mark of a place. */
  text: string
  /** Size of the place's mark from 0, the smallest, to 1. */
  size: number
  /** Whether the mark is the lowest or the highest, and highlighted. */
  isEnd: boolean
  /** Whether the mark has no figure of its own and is drawn hollow. */
  isHollow: boolean
}

export interface SpreadMap {
  setMarks: (marks: readonly SpreadMark[]) => void
  zoom: (step: 1 | -1) => void
  centre: () => void
  remove: () => void
}

const [minDiameter, maxDiameter] = [10, 30]
/** Margin of the map for the names behind the marks and for the buttons over it. */
const room = { paddingTopLeft: [30, 30], paddingBottomRight: [170, 40], maxZoom: 8 } satisfies FitBoundsOptions

/** Draws the map of a price spread into `box`. */
export function drawSpread(box: HTMLElement): SpreadMap {
  const { map, remove } = drawCountry(box)
  let renderedMarks: { mark: ReturnType<typeof createMarker>; text: HTMLElement; isEnd: boolean }[] = []
  let area = countryBounds
  /**
   * The marks of the highest and the lowest price show their figures; the others do as long as there is
   * space.
   */
  const placeLabels = () => {
    const occupiedRects: DOMRect[] = []
    for (const { text } of renderedMarks.toSorted((a, b) => Number(b.isEnd) - Number(a.isEnd))) {
      text.hidden = false
      const rect = text.getBoundingClientRect()
      text.hidden = occupiedRects.some(
        (occupiedRect) =>
          rect.left < occupiedRect.right &&
          rect.right > occupiedRect.left &&
          rect.top < occupiedRect.bottom &&
          rect.bottom > occupiedRect.top,
      )
      if (!text.hidden) occupiedRects.push(rect)
    }
  }
  map.on('zoomend', placeLabels)
  const centre = () => void map.fitBounds(area, room)
  return {
    setMarks: (marks) => {
      for (const { mark } of renderedMarks) mark.remove()
      renderedMarks = marks.map(({ lat, lng, name, text, size, isEnd, isHollow }) => {
        const label = createMarkElement('map-figure', name, createMarkElement('map-figure-value', text))
        const diameter = minDiameter + size * (maxDiameter - minDiameter)
        const circle = createMarkElement(`map-mark${isHollow ? ' map-mark-hollow' : ''}${isEnd ? ' map-mark-end' : ''}`)
        circle.style.inlineSize = `${diameter}px`
        circle.style.blockSize = `${diameter}px`
        const icon = divIcon({
          className: 'map-region',
          html: createMarkElement('contents', circle, label),
          iconSize: [0, 0],
        })
        const mark = createMarker({ lat, lng }, { icon, interactive: false, keyboard: false }).addTo(map)
        return { mark, text: label, isEnd }
      })
      area = marks.length > 0 ? latLngBounds(marks.map(({ lat, lng }) => [lat, lng])) : countryBounds
      centre()
      placeLabels()
    },
    zoom: (step) => void map.setZoom(map.getZoom() + step),
    centre,
    remove,
  }
}
