/** The map on the page: outline, regions and one marker that can be placed anywhere. */
import { divIcon, type LatLng, marker as createMarker } from 'leaflet'
import { drawCountry, createMarkElement, margins, countryBounds } from './country-map.ts'
import type { MapPlace } from './place.ts'

interface Region extends MapPlace {
  name: string
  lang: string | undefined
}

export interface PlaceMap {
  /** Sets the label of the map's marker. */
  setMarkerName: (name: string) => void
  setPlace: (mapPlace: MapPlace | null) => void
  setRegions: (regions: readonly Region[]) => void
  zoom: (step: 1 | -1) => void
  /** Centres the map on the marker; shows the whole country while there is no marker. */
  centre: () => void
  remove: () => void
}

/** Pixels that an arrow key moves the marker of a map; ten times as many with Shift. */
const keyStep = 3
const keySteps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/**
 * Draws the map for choosing a place into the element `box`.
 *
 * @param onMove - Called with each place that the user chooses.
 */
export function drawMap(box: HTMLElement, onMove: (mapPlace: MapPlace) => void): PlaceMap {
  const { map, reducesMotion: isMotionReduced, remove } = drawCountry(box)

  const pin = createMarker(countryBounds.getCenter(), {
    icon: divIcon({
      className: 'map-pin',
      html: createMarkElement('map-pin-head'),
      iconSize: [44, 44],
      iconAnchor: [22, 40],
    }),
    draggable: true,
    autoPan: true,
  })
  let markerName = ''
  const emitLocation = (mapLocation: LatLng) => onMove({ lat: mapLocation.lat, lng: mapLocation.lng })
  map.on('click', ({ latlng }) => emitLocation(latlng))
  pin.on('dragend', () => emitLocation(pin.getLatLng()))
  pin.on('add', () => {
    const pinElement = pin.getElement()
    // The marker of the map receives the keys instead of the page: ARIA has no other role for a
    // two-dimensional slider.
    pinElement?.setAttribute('role', 'application')
    pinElement?.setAttribute('aria-label', markerName)
    pinElement?.addEventListener('keydown', (event) => {
      const step = keySteps[event.key]
      if (!step) return
      event.preventDefault()
      const moveDistance = keyStep * (event.shiftKey ? 10 : 1)
      emitLocation(map.unproject(map.project(pin.getLatLng()).add([step[0] * moveDistance, step[1] * moveDistance])))
    })
  })

  let labels: { mark: ReturnType<typeof createMarker>; text: HTMLElement }[] = []
  /** Names on the map that would cover an earlier name are hidden until there is space. */
  const placeLabels = () => {
    const occupiedRects: DOMRect[] = []
    for (const { text } of labels) {
      text.hidden = false
      const rect = text.getBoundingClientRect()
      const isCovered = occupiedRects.some(
        (occupiedRect) =>
          rect.left < occupiedRect.right &&
          rect.right > occupiedRect.left &&
          rect.top < occupiedRect.bottom &&
          rect.bottom > occupiedRect.top,
      )
      text.hidden = isCovered
      if (!isCovered) occupiedRects.push(rect)
    }
  }
  map.on('zoomend', placeLabels)

  return {
    setMarkerName: (name) => {
      markerName = name
      pin.getElement()?.setAttribute('aria-label', name)
    },
    setPlace: (mapLocation) => {
      if (!mapLocation) return void pin.remove()
      pin.setLatLng(mapLocation)
      if (!map.hasLayer(pin)) pin.addTo(map)
      if (!map.getBounds().pad(-0.05).contains(mapLocation)) map.panTo(mapLocation, { animate: !isMotionReduced })
    },
    setRegions: (regions) => {
      for (const { mark } of labels) mark.remove()
      labels = regions.map(({ lat, lng, name, lang }) => {
        const text = createMarkElement('map-region-name', name)
        if (lang) text.lang = lang
        const icon = divIcon({
          className: 'map-region',
          html: createMarkElement('contents', createMarkElement('map-dot'), text),
          iconSize: [0, 0],
        })
        return { mark: createMarker({ lat, lng }, { icon, interactive: false, keyboard: false }).addTo(map), text }
      })
      placeLabels()
    },
    zoom: (step) => void map.setZoom(map.getZoom() + step),
    centre: () => {
      if (map.hasLayer(pin)) map.setView(pin.getLatLng(), Math.max(map.getZoom(), 7))
      else map.fitBounds(countryBounds, margins)
    },
    remove,
  }
}
