/** Checks a place: whether it can be shown on the map at all, and whether it is in the country. */
import outline from './outline.json'

export interface MapPlace {
  lat: number
  lng: number
}

function toPlaces(line: string): MapPlace[] {
  return line.split(' ').map((pair) => {
    const [lng = 0, lat = 0] = pair.split(',').map(Number)
    return { lat, lng }
  })
}

/** Rings of the country's outline (two are exclaves of the country), and the borders of its neighbours. */
export const home = outline.home.map(toPlaces)
export const borders = outline.borders.map(toPlaces)

/** Place on the map from the two numbers of a form; null while one is missing or out of range. */
export function placeOf(lat: number | null, lng: number | null): MapPlace | null {
  if (lat === null || lng === null || !(Math.abs(lat) <= 90) || !(Math.abs(lng) <= 180)) return null
  return { lat, lng }
}

/** Latitude and longitude as the columns store them: six digits, about the width of a hand. */
export function roundMapPlace({ lat, lng }: MapPlace): MapPlace {
  return { lat: Number(lat.toFixed(6)), lng: Number(lng.toFixed(6)) }
}

/**
 * Whether a place is inside one of the outline's rings: a ray from it crosses the ring an odd number of
 * times.
 */
export function isInCountry({ lat, lng }: MapPlace): boolean {
  return home.some((polygon) => {
    let isInside = false
    for (const [index, corner] of polygon.entries()) {
      const formerCorner = polygon.at(index - 1) ?? corner
      const isCrossing = corner.lat > lat !== formerCorner.lat > lat
      if (
        isCrossing &&
        lng < ((formerCorner.lng - corner.lng) * (lat - corner.lat)) / (formerCorner.lat - corner.lat) + corner.lng
      )
        isInside = !isInside
    }
    return isInside
  })
}

/** Warning about a place on the map: outside the country, or inside once the two numbers are swapped. */
export function problemOf(mapLocation: MapPlace): 'outside' | 'swapped' | null {
  if (isInCountry(mapLocation)) return null
  return isInCountry({ lat: mapLocation.lng, lng: mapLocation.lat }) ? 'swapped' : 'outside'
}
