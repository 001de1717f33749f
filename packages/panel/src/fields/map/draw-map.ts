/** The map on the page: outline, regions and one marker that can be put anywhere. Leaflet draws; nothing is downloaded. */
import {
  divIcon,
  type FitBoundsOptions,
  latLngBounds,
  type LatLng,
  map as createMap,
  marker as createMarker,
  polygon,
  polyline,
  svg,
} from 'leaflet'
import 'leaflet/dist/leaflet.css'
import './map.css'
import { borders, home, type Place } from './place.ts'

interface Region extends Place {
  name: string
  lang: string | undefined
}

export interface PlaceMap {
  /** What the marker is called. */
  setMarkerName: (name: string) => void
  setPlace: (place: Place | null) => void
  setRegions: (regions: readonly Region[]) => void
  zoom: (step: 1 | -1) => void
  /** The marker in the middle; the whole country while there is none. */
  centre: () => void
  remove: () => void
}

const wholeCountry = latLngBounds(home.flat())
/** Room for the names at the edge and for the buttons over the map. */
const margins = { paddingTopLeft: [8, 8], paddingBottomRight: [48, 8] } satisfies FitBoundsOptions

/** Pixels that an arrow key moves the marker; with Shift, ten times as many. */
const keyStep = 3
const keySteps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

function element(className: string, ...children: readonly (Node | string)[]): HTMLElement {
  const made = document.createElement('span')
  made.className = className
  made.append(...children)
  return made
}

/** Draws into `box`; `onMove` hears of each place that the reader chooses. */
export function drawMap(box: HTMLElement, onMove: (place: Place) => void): PlaceMap {
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

  const pin = createMarker(wholeCountry.getCenter(), {
    icon: divIcon({ className: 'map-pin', html: element('map-pin-head'), iconSize: [44, 44], iconAnchor: [22, 40] }),
    draggable: true,
    autoPan: true,
  })
  let markerName = ''
  const chosen = (place: LatLng) => onMove({ lat: place.lat, lng: place.lng })
  map.on('click', ({ latlng }) => chosen(latlng))
  pin.on('dragend', () => chosen(pin.getLatLng()))
  pin.on('add', () => {
    const handle = pin.getElement()
    // Keys go to the marker and not to the page: a two-dimensional slider has no other role.
    handle?.setAttribute('role', 'application')
    handle?.setAttribute('aria-label', markerName)
    handle?.addEventListener('keydown', (event) => {
      const step = keySteps[event.key]
      if (!step) return
      event.preventDefault()
      const far = keyStep * (event.shiftKey ? 10 : 1)
      chosen(map.unproject(map.project(pin.getLatLng()).add([step[0] * far, step[1] * far])))
    })
  })

  let labels: { mark: ReturnType<typeof createMarker>; text: HTMLElement }[] = []
  /** Names that would cover an earlier one are left out until there is room. */
  const arrange = () => {
    const placed: DOMRect[] = []
    for (const { text } of labels) {
      text.hidden = false
      const rect = text.getBoundingClientRect()
      const covers = placed.some(
        (other) =>
          rect.left < other.right && rect.right > other.left && rect.top < other.bottom && rect.bottom > other.top,
      )
      text.hidden = covers
      if (!covers) placed.push(rect)
    }
  }
  map.on('zoomend', arrange)

  const resized = new ResizeObserver(() => map.invalidateSize({ pan: false }))
  resized.observe(box)

  return {
    setMarkerName: (name) => {
      markerName = name
      pin.getElement()?.setAttribute('aria-label', name)
    },
    setPlace: (place) => {
      if (!place) return void pin.remove()
      pin.setLatLng(place)
      if (!map.hasLayer(pin)) pin.addTo(map)
      if (!map.getBounds().pad(-0.05).contains(place)) map.panTo(place, { animate: !still })
    },
    setRegions: (regions) => {
      for (const { mark } of labels) mark.remove()
      labels = regions.map(({ lat, lng, name, lang }) => {
        const text = element('map-region-name', name)
        if (lang) text.lang = lang
        const icon = divIcon({
          className: 'map-region',
          html: element('contents', element('map-dot'), text),
          iconSize: [0, 0],
        })
        return { mark: createMarker({ lat, lng }, { icon, interactive: false, keyboard: false }).addTo(map), text }
      })
      arrange()
    },
    zoom: (step) => void map.setZoom(map.getZoom() + step),
    centre: () => {
      if (map.hasLayer(pin)) map.setView(pin.getLatLng(), Math.max(map.getZoom(), 7))
      else map.fitBounds(wholeCountry, margins)
    },
    remove: () => {
      resized.disconnect()
      map.remove()
    },
  }
}
