/** A Leaflet map of the country that is drawn from its outline; nothing is downloaded. */
import { type FitBoundsOptions, latLngBounds, map as createMap, polygon, polyline, svg } from 'leaflet'
import 'leaflet/dist/leaflet.css'
import './map.css'
import { borders, home } from './place.ts'

export const wholeCountry = latLngBounds(home.flat())
/** Room for the names at the edge and for the buttons over the map. */
export const margins = { paddingTopLeft: [8, 8], paddingBottomRight: [48, 8] } satisfies FitBoundsOptions

/** An element with a class, for the marks of a map. */
export function element(className: string, ...children: readonly (Node | string)[]): HTMLElement {
  const made = document.createElement('span')
  made.className = className
  made.append(...children)
  return made
}

/**
 * Draws the outline into `box` and keeps it fitted while the box changes its size.
 *
 * @returns The map, whether it stands still, and what takes it away.
 */
export function drawCountry(box: HTMLElement) {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  const coarse = matchMedia('(pointer: coarse)').matches
  const map = createMap(box, {
    renderer: svg({ padding: 1 }),
    attributionControl: false,
    zoomControl: false,
    // The page scrolls by wheel and by one finger; the map is moved by the mouse, two fingers and its buttons.
    scrollWheelZoom: false,
    dragging: !coarse,
    keyboard: false,
    doubleClickZoom: false,
    zoomAnimation: !still,
    zoomSnap: 0.25,
    minZoom: 4,
    maxZoom: 13,
  }).fitBounds(wholeCountry, margins)
  for (const line of borders) polyline(line, { className: 'map-border', interactive: false }).addTo(map)
  polygon(home, { className: 'map-home', interactive: false }).addTo(map)
  const resized = new ResizeObserver(() => map.invalidateSize({ pan: false }))
  resized.observe(box)
  return {
    map,
    still,
    remove: () => {
      resized.disconnect()
      map.remove()
    },
  }
}
