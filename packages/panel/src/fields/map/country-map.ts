/** A Leaflet map of the country, drawn from its stored outline; nothing is downloaded. */
import { type FitBoundsOptions, latLngBounds, map as createMap, polygon, polyline, svg } from 'leaflet'
import 'leaflet/dist/leaflet.css'
import './map.css'
import { borders, home } from './place.ts'

export const countryBounds = latLngBounds(home.flat())
/** Margin of the map for the names at the edge and for the buttons over it. */
export const margins = { paddingTopLeft: [8, 8], paddingBottomRight: [48, 8] } satisfies FitBoundsOptions

/** Creates an element with a class, for the marks of a map. */
export function createMarkElement(className: string, ...children: readonly (Node | string)[]): HTMLElement {
  const mark = document.createElement('span')
  mark.className = className
  mark.append(...children)
  return mark
}

/**
 * Draws the map of the country into `box` and fits it whenever the box changes its size.
 *
 * @returns The map, whether the user prefers reduced motion, and a function that removes the map.
 */
export function drawCountry(box: HTMLElement) {
  const prefersReducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches
  const isCoarsePointer = matchMedia('(pointer: coarse)').matches
  const map = createMap(box, {
    renderer: svg({ padding: 1 }),
    attributionControl: false,
    zoomControl: false,
    // The wheel and one finger scroll the page; the mouse, two fingers and the buttons move the map.
    scrollWheelZoom: false,
    dragging: !isCoarsePointer,
    keyboard: false,
    doubleClickZoom: false,
    zoomAnimation: !prefersReducedMotion,
    zoomSnap: 0.25,
    minZoom: 4,
    maxZoom: 13,
  }).fitBounds(countryBounds, margins)
  for (const line of borders) polyline(line, { className: 'map-border', interactive: false }).addTo(map)
  polygon(home, { className: 'map-home', interactive: false }).addTo(map)
  const resizeObserver = new ResizeObserver(() => map.invalidateSize({ pan: false }))
  resizeObserver.observe(box)
  return {
    map,
    reducesMotion: prefersReducedMotion,
    remove: () => {
      resizeObserver.disconnect()
      map.remove()
    },
  }
}
